"""The navigation, nothing else: every page also stands alone."""

import streamlit as st

from viz_core.atlas import pages

st.navigation(
    {
        part: [
            st.Page(
                f"pages/{page.stem}.py",
                title=page.title,
                url_path=page.stem,
                default=page.stem == "home",
            )
            for page in listed
        ]
        for part, listed in pages.parts().items()
    },
    position="top",
).run()
