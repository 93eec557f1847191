"""What can be trained: one line per module of recipes. Whoever adds an architecture adds a line."""

from __future__ import annotations

from viz_core.cards import Card
from viz_core.training import (
    bert,
    caption,
    characters,
    elmo,
    gpt,
    gru_last,
    han,
    lstmn,
    ntm,
    rnn,
    rnn_search,
    sagan,
    snail,
    summary,
    transformer,
    tunes,
    universal,
    vit,
    word_vectors,
)
from viz_core.training.run import Recipe

RECIPES: dict[str, Recipe] = {
    **rnn.RECIPES,
    **rnn_search.RECIPES,
    **transformer.RECIPES,
    **bert.RECIPES,
    **characters.RECIPES,
    **tunes.RECIPES,
    **word_vectors.RECIPES,
    **gpt.RECIPES,
    **elmo.RECIPES,
    **lstmn.RECIPES,
    **ntm.RECIPES,
    **han.RECIPES,
    **gru_last.RECIPES,
    **caption.RECIPES,
    **vit.RECIPES,
    **sagan.RECIPES,
    **snail.RECIPES,
    **summary.RECIPES,
    **universal.RECIPES,
}


def recipe_for(card: Card) -> Recipe:
    """The recipe of a checkpoint; of one with another name, a recipe of its architecture."""
    if card.own:
        raise ValueError(
            f"{card.name} is measured on its own pairs: translate --name {card.name} --pairs FILE "
            "--resume."
        )
    same = [one for one in RECIPES.values() if one.architecture == card.architecture]
    recipe = RECIPES.get(card.name, same[0] if same else None)
    if recipe is None:
        raise ValueError(f"{card.name}: no recipe trains the architecture {card.architecture!r}.")
    return recipe
