"""Streamlit still sends every element through one method, and still needs to be asked."""

import inspect

from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest


def test_streamlit_sends_through_the_method_that_is_replaced():
    send = inspect.unwrap(DeltaGenerator._enqueue)
    assert list(inspect.signature(send).parameters)[:3] == ["self", "delta_type", "element_proto"]


def test_an_element_that_may_not_go_leaves_an_empty_place():
    def script() -> None:
        import streamlit as st

        from viz_core.ui import prediction
        from viz_core.ui.patches import sending

        st.session_state["stage_concealed"] = True
        sending.asked(prediction.may_go)
        st.markdown("the answer")
        with prediction.aloud():
            st.markdown("the question")
        st.text_input("sentence", "kept")

    app = AppTest.from_function(script, default_timeout=60).run()
    assert [each.value for each in app.markdown] == ["the question"]
    assert app.text_input[0].value == "kept"
