"""The container files, read by a parser: no runtime is needed to see what would fail or leak."""

import json
import re
import shlex
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
KNOWN = {"FROM", "ENV", "WORKDIR", "COPY", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "CMD"}


@pytest.fixture(scope="module")
def steps():
    """(INSTRUCTION, arguments), comments left out and continued lines joined."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.strip().startswith("#"))
    joined = re.sub(r"\\\n\s*", " ", text)
    return [tuple(line.split(None, 1)) for line in joined.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def services():
    return yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]


def test_every_instruction_is_known_and_the_base_is_named_by_a_version(steps):
    assert {name for name, _ in steps} <= KNOWN
    assert steps[0][0] == "FROM"
    (base,) = (arguments for name, arguments in steps if name == "FROM")
    assert re.fullmatch(r"python:3\.\d+-slim", base)


def test_packages_are_the_pinned_ones_for_the_cpu_and_leave_no_cache(steps):
    (install,) = (arguments for name, arguments in steps if "pip install" in arguments)
    words = shlex.split(install)
    assert "--no-cache-dir" in words
    assert words[words.index("-r") + 1] == "requirements.txt"
    assert words[words.index("--extra-index-url") + 1] == "https://download.pytorch.org/whl/cpu"


def test_what_is_copied_is_there_and_not_ignored_and_is_all_that_the_app_needs(steps):
    ignored = [
        line for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] not in "#"
    ]
    assert ignored[0] == "*"
    let_in = {line[1:] for line in ignored if line.startswith("!")}
    copied = [part for name, given in steps if name == "COPY" for part in given.split()[:-1]]
    assert set(copied) == let_in
    assert all((ROOT / part).exists() for part in copied)
    assert {"app.py", "pages", "viz_core", "checkpoints", ".streamlit"} <= set(copied)
    assert not any(fnmatch(".git", part) for part in let_in)


def test_it_runs_without_rights_is_watched_and_listens(steps):
    names = [name for name, _ in steps]
    by_name = dict(steps)
    assert by_name["USER"].isdigit() and by_name["USER"] != "0"
    assert names.index("USER") > max(i for i, name in enumerate(names) if name == "RUN")
    assert by_name["WORKDIR"].startswith("/")
    started = json.loads(by_name["CMD"])  # without a shell, so that it hears when it is to stop
    assert started[:4] == ["python", "-m", "streamlit", "run"]
    assert f"--server.port={by_name['EXPOSE']}" in started
    asked = json.loads(by_name["HEALTHCHECK"].partition("CMD ")[2])
    compile(asked[2], "HEALTHCHECK", "exec")
    assert f"localhost:{by_name['EXPOSE']}/_stcore/health" in asked[2]
    assert "HOME=/tmp" in by_name["ENV"] and "ATLAS_MODELS=/models" in by_name["ENV"]


def test_every_service_is_read_only_without_rights_and_closed_to_the_outside(services):
    assert set(services) == {"atlas", "nginx"}
    for service in services.values():
        assert service["read_only"] is True
        assert service["tmpfs"] == ["/tmp"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    assert "ports" not in services["atlas"]  # only nginx is reached from outside
    assert services["nginx"]["ports"] == ["${LISTEN:-127.0.0.1}:${PORT:-8080}:8080"]
    assert services["nginx"]["depends_on"]["atlas"]["condition"] == "service_healthy"
    assert services["atlas"]["deploy"]["replicas"] == "${REPLICAS:-4}"
    assert re.search(r":\d+\.\d+", services["nginx"]["image"])


def test_nginx_is_given_its_configuration_and_finds_the_replicas(services):
    mounted = services["nginx"]["volumes"][0].split(":")
    assert mounted[1:] == ["/etc/nginx/nginx.conf", "ro"]
    text = re.sub(r"#.*", "", (ROOT / mounted[0]).read_text())
    assert text.count("{") == text.count("}")
    for line in filter(None, map(str.strip, text.splitlines())):
        assert line.endswith((";", "{", "}")), line
    assert "server atlas:8501" in text and "hash $visitor consistent;" in text
    assert "listen 8080;" in text
    # The same way to the app as without containers.
    plain = re.sub(r"#.*", "", (ROOT / "deploy/nginx.conf.in").read_text())
    proxied = {line.strip() for line in plain.splitlines() if line.strip().startswith("proxy_")}
    paths = ("proxy_pass", "proxy_temp_path")
    assert {line for line in proxied if not line.startswith(paths)} <= {
        line.strip() for line in text.splitlines()
    }
