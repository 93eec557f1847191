"""A talk: views pinned while exploring, in an order, with titles and notes."""

import streamlit as st

from viz_core import ui
from viz_core.atlas import talk

ui.header("talk")
if ui.presenter():
    st.stop()
ui.opened_talk()
views = ui.pinned()

if views:
    ui.begin_links(views)
with st.container(horizontal=True, vertical_alignment="bottom"):
    st.button("The usual lecture", "usual", on_click=ui.set_views, args=(talk.LECTURE,))
    st.button("Empty the list", "empty", on_click=ui.set_views, args=([],), disabled=not views)

if views:
    ui.edit_views(views)
else:
    st.info("Nothing is pinned yet. Take the usual lecture, or pin views of your own.")

st.header("Take it along", anchor=False)
kept, brought = st.columns(2, gap="large")
with kept:
    st.markdown("As a file, or as one link that holds the whole list.")
    st.download_button("JSON", talk.write(views), "talk.json", key="json", on_click="ignore")
    if views:
        st.code(ui.talk_link(views), language=None, wrap_lines=True)
with brought:
    file = st.file_uploader("Open a list", type="json", key="file", max_upload_size=1)
    with ui.sentences():
        ui.open_file(file)
ui.foot("talk")
