"""The decoder's page: French that belongs to another sentence goes, and masks can be taken away."""

from functools import partial

from streamlit.testing.v1 import AppTest

from tests.opening import page

opened = partial(page, "decoder")


def read_in_training(app: AppTest) -> list[str]:
    return app.dataframe[0].value["training reads"].tolist()


def test_the_target_of_training_follows_the_typed_source():
    app = opened(text="You are welcome.", target="De rien.")
    assert read_in_training(app)[:3] == ["<s>", "De", "rien"]
    app.text_input(key="text").set_value("I am a student.").run()
    assert app.text_input(key="target").value == ""
    assert "rien" not in read_in_training(app)
    assert "Je" in read_in_training(app)


def test_without_the_padding_mask_a_short_sentence_does_not_end():
    whole, broken = (
        opened(view="Masks at work", padding=padding).subheader[0].value
        for padding in ("true", "false")
    )
    assert whole == "Je suis étudiant."
    assert broken.startswith(whole) and len(broken) > len(whole)
