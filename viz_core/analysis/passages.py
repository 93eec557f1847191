"""Ten short passages, written for this project, on which every head's habits are measured.

Clark et al. 2019 measure theirs on segments of about 128 tokens, two paragraphs each: with shorter
ones no head could be called broad, because the entropy of n weights is at most log(n).
"""

from __future__ import annotations

PASSAGES: tuple[tuple[str, str], ...] = (
    (
        "The ferry left the harbour at six in the morning. Most of the passengers were still "
        "asleep, and the sea was as flat as a plate. A girl in a yellow coat stood at the rail "
        "and counted the gulls that followed the ship.",
        "When the island came into sight, she ran below to wake her brother. He did not believe "
        "her until he had seen the lighthouse with his own eyes. They were the first two people "
        "to walk down to the pier, and their grandfather was already waiting there.",
    ),
    (
        "Bread needs only four things: flour, water, salt and time. If you hurry it, the crust "
        "turns pale and the crumb tastes of nothing. The baker on our street starts her dough at "
        "noon and does not touch it again before midnight.",
        "At four she lights the oven, and by five the whole block knows what she is doing. Some "
        "of her customers come for the rolls, others only for the smell. She says that she has "
        "never owned a clock, because the dough tells her when it is ready.",
    ),
    (
        "The committee met for the third time this year to discuss the bridge. Its members agreed "
        "that the old one was no longer safe, but they could not agree on who should pay. The "
        "mayor proposed a small toll; the farmers across the river refused.",
        "In the end an engineer asked whether anyone had looked at the foundations. Nobody had. A "
        "diver was sent down the next week and reported that the stone was sound. The bridge was "
        "repaired for a tenth of the price, and the committee was dissolved.",
    ),
    (
        "Two dogs lived at the end of the lane, a large brown one and a small white one. The large "
        "one barked at everything, while the small one never made a sound. Visitors were afraid "
        "of the wrong dog, as the postman could have told them.",
        "He had been bitten twice, both times in the left leg. After that he threw the letters "
        "over the gate and kept his distance. The owner apologised every Christmas with a bottle "
        "of wine, which the postman accepted without a smile.",
    ),
    (
        "A telescope does not bring the stars closer; it only collects more of their light. The "
        "larger its mirror is, the fainter the things that it can show. This is why astronomers "
        "build their instruments on high mountains and far from any town.",
        "The light that reaches them tonight may have left its star before there were people. By "
        "measuring its colours they can say what the star is made of and how fast it moves. None "
        "of them will ever go there, and all of them speak as if they had.",
    ),
    (
        "My aunt kept every letter that she had ever received in a wooden box under her bed. After "
        "her death we opened it and found that most of the envelopes were still sealed. She had "
        "known from the handwriting what they would say.",
        "One of them was from a man whose name we had never heard. It was short, polite and more "
        "than fifty years old. My mother read it twice, put it back and closed the box, and we "
        "did not talk about it on the way home.",
    ),
    (
        "The orchestra had rehearsed the piece for weeks, yet the conductor was not pleased. The "
        "horns came in too early and the violins dragged behind them. He put down his baton and "
        "asked everyone to close their eyes.",
        "Then they played it again without looking at the notes or at him. For the first time they "
        "listened to each other instead of counting. When the last chord had faded, the cellist "
        "laughed out loud, and the conductor told them to go home early.",
    ),
    (
        "In spring the river carries more water than the valley can hold. Those who live there "
        "have built their houses on poles and keep a boat tied to every door. Children learn to "
        "row before they learn to ride a bicycle.",
        "Last year the flood came in the night and rose faster than usual. By the morning three "
        "cows were standing on the roof of a barn, and nobody could say how they had got there. "
        "They were brought down with ropes, one after the other, and seemed to enjoy it.",
    ),
    (
        "The museum bought the painting because an expert had sworn that it was real. A student "
        "who copied it for practice noticed that the blue of the sky was too bright. She wrote to "
        "the director, who did not answer her.",
        "So she took the matter to a chemist she knew. He found a pigment that had not been "
        "invented until long after the painter was dead. The expert retired, the director "
        "resigned, and the picture now hangs in a room of its own as a famous forgery.",
    ),
    (
        "To repair a bicycle you need patience, a few tools and somebody who has done it before. "
        "First turn it upside down, so that the wheels can spin freely. Then look for what moves "
        "when it should not, and for what does not move when it should.",
        "Most faults are small: a loose screw, a dry chain or a worn cable. If you find nothing, "
        "take it for a ride and listen. A bicycle that is well cared for makes no noise at all, "
        "and it will carry you further than you think.",
    ),
)
