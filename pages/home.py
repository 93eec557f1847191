"""What the atlas shows, in the order of a lecture."""

from viz_core import ui

ui.header("Attention Atlas", "From recurrent networks to BERT: small trained models, opened.")
