"""What the head view sends to the browser, and how long it takes to build, against bertviz."""

from __future__ import annotations

import torch
from bertviz import head_view as bertviz_head_view
from circuitsvis.attention import attention_heads
from streamlit.elements import vega_charts
from streamlit.proto.VegaLiteChart_pb2 import VegaLiteChart

from benchmarks.models import text
from benchmarks.timing import Row, medians
from viz_core import probe
from viz_core.charts import heads
from viz_core.charts.kit.cache import forget
from viz_core.charts.kit.style import AnyChart
from viz_core.checkpoints import Bundle


def sent(chart: AnyChart) -> bytes:
    """The message that Streamlit makes of a chart: the spec, and its data as Arrow."""
    spec = vega_charts._convert_altair_to_vega_lite_spec(chart)
    message = VegaLiteChart()
    vega_charts._marshall_chart_data(message, spec)
    message.spec = vega_charts.json.dumps(spec)
    return message.SerializeToString()


def head_views(bundle: Bundle) -> tuple[list[Row], list[Row]]:
    """bertviz sends all layers at once; here one layer is sent, and another one when it is asked
    for. Opening all six one after the other would be six times our row."""
    sizes, times = [], []
    for length in (14, 32, 128):
        trace = probe.encode(bundle, text(length))
        tensors = [torch.from_numpy(layer.copy())[None] for layer in trace.weights]
        tokens = list(trace.queries)

        def ours(trace=trace):  # type: ignore[no-untyped-def]
            forget()  # what was drawn before would not be drawn again
            return sent(heads.head_view(trace, 5, range(12)))

        def bertviz(tensors=tensors, tokens=tokens):  # type: ignore[no-untyped-def]
            return bertviz_head_view(tensors, tokens, html_action="return").data

        def circuitsvis(trace=trace, tokens=tokens):  # type: ignore[no-untyped-def]
            return str(attention_heads(torch.from_numpy(trace.weights[5].copy()), tokens))

        what = f"head view of {length} tokens, against"
        own, theirs, other = medians([ours, bertviz, circuitsvis], 10 if length > 100 else 20)
        times.append(Row(f"{what} bertviz, all layers", own, theirs, "ms", 0.2))
        times.append(Row(f"{what} circuitsvis, one layer", own, other, "ms", 1.0))
        own, theirs, other = (len(made()) / 1000 for made in (ours, bertviz, circuitsvis))
        sizes.append(Row(f"{what} bertviz, all layers", own, theirs, "kB", 0.05))
        sizes.append(Row(f"{what} circuitsvis, one layer", own, other, "kB", 1.0))
    return sizes, times
