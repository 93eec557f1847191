"""One sentence through models of several years, alike."""

from __future__ import annotations

import time

from viz_core.checkpoints import Bundle
from viz_core.models.bert import Bert
from viz_core.probe.bert import encode
from viz_core.probe.transformer import encoded
from viz_core.probe.translation import BEAM, PENALTY, translate
from viz_core.traces.era import Era


def written(bundle: Bundle, text: str) -> Era:
    """A translator's attention while it writes."""
    began = time.perf_counter()
    translation = translate(bundle, text, BEAM, PENALTY)
    seconds = time.perf_counter() - began
    return Era(text=translation.text, trace=translation.cross, seconds=seconds)


def read_by(bundle: Bundle, text: str) -> Era:
    """An encoder's attention while it reads."""
    began = time.perf_counter()
    reads = encode if isinstance(bundle.model, Bert) else encoded
    trace = reads(bundle, text)
    return Era(text="reads, writes nothing", trace=trace, seconds=time.perf_counter() - began)
