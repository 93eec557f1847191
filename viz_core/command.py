"""The command attention-atlas: starts the app, from the repository or from an installed package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
INSTALLED = Path(sys.prefix) / "share" / "attention-atlas"
ROOT = REPOSITORY if (REPOSITORY / "app.py").is_file() else INSTALLED  # app.py and pages/

NO_MODELS = """No checkpoints found: the package holds the code, the repository the trained models.
Start attention-atlas in a clone of it, or say where they are: ATLAS_CHECKPOINTS=DIR"""


def main() -> None:
    """What follows the command goes to Streamlit: attention-atlas --server.port 8600"""
    models = os.environ.get("ATLAS_CHECKPOINTS", "")
    beside = REPOSITORY / "checkpoints"
    if not models and not beside.is_dir():
        models = "checkpoints"  # where one stands
    if models and not (Path(models).is_dir() or beside.is_dir()):
        sys.exit(NO_MODELS)
    told = {"ATLAS_CHECKPOINTS": str(Path(models).absolute())} if models else {}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *sys.argv[1:]]
    # In that folder Streamlit finds the settings of the atlas.
    try:
        sys.exit(subprocess.run(command, cwd=ROOT, env=os.environ | told, check=False).returncode)
    except KeyboardInterrupt:
        sys.exit(130)
