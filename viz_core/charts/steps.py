"""Self-attention by hand: from x to the outputs, every number with its arithmetic."""

from __future__ import annotations

import numpy as np

from viz_core.charts import panels, style
from viz_core.charts.panels import Panel, Part
from viz_core.traces import Vectors, VectorTrace
