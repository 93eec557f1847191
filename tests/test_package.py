"""The wheel, built once and installed beside the packages that are there already."""

import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("viz_core", "pages", ".streamlit", "app.py", "pyproject.toml", "requirements.txt")
CALLS = """
import viz_core
from viz_core import checkpoints, probe
from viz_core.charts import matrix
found = probe.translate(checkpoints.load("rnn-additive"), "I lost my red umbrella.")
print(viz_core.__file__, len(matrix.matrix(found.words().cross).to_dict()["datasets"]))
"""


def told(*command, **more):
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=True, **more
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy: building writes beside its sources."""
    copy = tmp_path_factory.mktemp("copy")
    for part in (*PARTS, "README.md", "LICENSE"):
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / part)
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "-w", copy / "wheels"]
    told(sys.executable, "-m", "pip", "wheel", *options, copy)
    (built,) = (copy / "wheels").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A new environment that sees the packages of this one, and the wheel as its own."""
    home = tmp_path_factory.mktemp("env")
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    (site,) = (home / "lib").glob("python*/site-packages")
    (site / "these.pth").write_text(sysconfig.get_paths()["purelib"])
    options = ["--quiet", "--no-deps", "--no-index", wheel]
    told(sys.executable, "-m", "pip", "--python", python, "install", *options)
    return home


def test_the_wheel_holds_the_code_the_pages_and_what_they_read_and_no_model(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    data = f"{wheel.name.rsplit('-', 3)[0]}.data/data/share/attention-atlas"
    for part in ROOT.glob("viz_core/**/*"):
        if part.suffix in {".py", ".css", ".js", ".txt"}:
            assert part.relative_to(ROOT).as_posix() in names
    for page in ROOT.glob("pages/*.py"):
        assert f"{data}/pages/{page.name}" in names
    assert {f"{data}/app.py", f"{data}/.streamlit/config.toml"} <= set(names)
    assert not [name for name in names if "safetensors" in name or name.startswith("tests")]


def test_it_asks_for_exactly_what_make_run_installs(wheel):
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (name for name in archive.namelist() if name.endswith("METADATA"))
    lines = archive.read(metadata).decode().splitlines()
    asked = {line.removeprefix("Requires-Dist: ") for line in lines if "Requires-Dist" in line}
    pinned = {
        line.strip()
        for line in (ROOT / "requirements.txt").read_text().splitlines()
        if line.strip() and not line.startswith("#")
    }
    assert {line for line in asked if "extra" not in line} == pinned
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    dev = (ROOT / "requirements-dev.txt").read_text().splitlines()
    for packages in extras["optional-dependencies"].values():
        assert set(packages) <= set(dev)  # one version of each, wherever it is named


@pytest.mark.skipif(os.name == "nt", reason="the environment of the test has no bin there")
def test_installed_elsewhere_it_translates_draws_and_starts(installed, tmp_path):
    plain = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "ATLAS_CHECKPOINTS")}
    models = plain | {"ATLAS_CHECKPOINTS": str(ROOT / "checkpoints")}
    said = told(installed / "bin/python", "-c", CALLS, cwd=tmp_path, env=models).stdout
    assert said.startswith(str(installed.resolve()))

    start = str(installed / "bin/attention-atlas")
    without = subprocess.run([start], capture_output=True, text=True, cwd=tmp_path, env=plain)
    assert without.returncode == 1
    assert "No checkpoints found" in without.stderr

    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    app = subprocess.Popen(
        [start, "--server.port", port],
        cwd=tmp_path,
        env=models,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        assert app.stdout is not None
        next(line for line in app.stdout if port in line)  # it prints its address when it is there
        health = f"http://localhost:{port}/_stcore/health"
        assert urllib.request.urlopen(health, timeout=20).read() == b"ok"
    finally:
        os.killpg(app.pid, 15)
        app.communicate(timeout=20)
