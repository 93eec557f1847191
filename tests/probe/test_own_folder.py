"""The folder of an own model: everything that is refused before a library opens it."""

import json
import os
import struct
from pathlib import Path

import pytest

from viz_core.probe import own_folder


def opened(name) -> None:
    folder = own_folder.find(str(name))
    assert folder is not None
    own_folder.check(folder, str(name))


def test_a_home_that_nobody_has_gets_a_sentence():
    with pytest.raises(ValueError, match="There is no model in ~no-such-user-here/x: "):
        opened("~no-such-user-here/x")


def test_links_in_a_circle_get_a_sentence(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ValueError, match="cannot be read"):
        opened(tmp_path)


@pytest.mark.parametrize("name", ["/no/such/folder", "../nowhere", "a/b/c", "./x", "~nobody/x"])
def test_a_folder_that_is_not_there_is_named(name):
    with pytest.raises(ValueError, match="There is no model in"):
        opened(name)


def write(folder, header: bytes, length: int | None = None, rest: bytes = b"") -> None:
    (folder / "config.json").write_text("{}")
    size = len(header) if length is None else length
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", size) + header + rest)


def header(end: int) -> bytes:
    return json.dumps({"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, end]}}).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"short",
        struct.pack("<Q", 2**63) + b"{}",
        struct.pack("<Q", 100) + b"{}",
        struct.pack("<Q", 0),
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 2) + b"{}" + b"left over",
        struct.pack("<Q", 4) + b"null",
        struct.pack("<Q", len(header(8))) + header(8) + b"1234",
        struct.pack("<Q", 10_000) + b"[" * 10_000,
    ],
)
def test_a_malformed_weights_file_is_named_before_it_is_opened(content, tmp_path):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(ValueError, match=r"model.safetensors is damaged"):
        opened(tmp_path)


def test_a_sound_header_is_let_through(tmp_path):
    write(tmp_path, header(4), rest=b"1234")
    opened(tmp_path)


def test_a_folder_without_config_or_safetensors_says_which(tmp_path):
    with pytest.raises(ValueError, match=r"There is no model in .*: .* holds config.json"):
        opened(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(ValueError, match="no safetensors file"):
        opened(tmp_path)


def test_a_link_that_leads_outside_is_refused(tmp_path):
    inside, outside = tmp_path / "model", tmp_path / "secret"
    inside.mkdir()
    outside.write_text("{}")
    (inside / "config.json").write_text("{}")
    (inside / "vocab.txt").symlink_to(outside)
    with pytest.raises(ValueError, match=r"vocab.txt points outside"):
        opened(inside)


def test_too_many_bytes_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(own_folder, "LARGEST", 10)
    write(tmp_path, header(4), rest=b"1234")
    with pytest.raises(ValueError, match="too large"):
        opened(tmp_path)


def test_a_vocabulary_too_large_to_read_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(own_folder, "DESCRIBED", 10)
    write(tmp_path, header(4), rest=b"1234")
    (tmp_path / "tokenizer.json").write_text("{}" * 10)
    with pytest.raises(ValueError, match=r"tokenizer.json has 20 bytes: too large"):
        opened(tmp_path)


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "more/chat.jinja"])
def test_a_pipe_that_would_never_end_is_named_before_it_is_opened(name, tmp_path):
    write(tmp_path, header(4), rest=b"1234")
    (tmp_path / "more").mkdir()
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    with pytest.raises(ValueError, match=f"^{Path(name).name} is not a plain file"):
        opened(tmp_path)


def test_a_pipe_as_config_is_no_model(tmp_path):
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(ValueError, match="There is no model in"):
        opened(tmp_path)


def test_a_tokeniser_that_doubles_a_text_forty_times_is_refused(tmp_path):
    write(tmp_path, header(4), rest=b"1234")
    doubled = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}
    rules = {"type": "Sequence", "normalizers": [doubled] * 40}
    (tmp_path / "tokenizer.json").write_text(json.dumps({"normalizer": rules}))
    with pytest.raises(ValueError, match=r"^tokenizer.json makes texts longer"):
        opened(tmp_path)
    rules["normalizers"] = [doubled | {"content": " "}] * 40
    (tmp_path / "tokenizer.json").write_text(json.dumps({"normalizer": rules}))
    opened(tmp_path)


def test_a_folder_of_too_many_files_is_not_looked_through(tmp_path, monkeypatch):
    monkeypatch.setattr(own_folder, "FILES", 5)
    write(tmp_path, header(4), rest=b"1234")
    for number in range(5):
        (tmp_path / f"step-{number}").touch()
    with pytest.raises(ValueError, match="holds more than 5 files"):
        opened(tmp_path)


# ---- what a file may say ----------------------------------------------------------------------

BOMB = '{"a":' * 100_000
HOSTILE = {
    "a list": "[]",
    "nothing": "",
    "nested": BOMB,
    "nested lists": '{"a": ' + "[" * 100_000 + "}",
    "no text": b"\xff\xfe\x00",
    "a billion labels": '{"num_labels": 1000000000}',
    "endless": '{"hidden_size": 1e999}',
    "not a number": '{"hidden_size": NaN}',
    "a number of 5,000 digits": '{"hidden_size": ' + "9" * 5000 + "}",
    "other weights": '{"transformers_weights": "adapter_model.bin"}',
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_config_gets_one_sentence(content, tmp_path):
    write(tmp_path, header(4), rest=b"1234")
    (tmp_path / "config.json").write_bytes(
        content if isinstance(content, bytes) else content.encode()
    )
    with pytest.raises(ValueError, match=r"^config.json (is damaged|gives|names)[^\n]*\.$"):
        opened(tmp_path)


def index(folder, *files) -> None:
    table = {f"weight {i}": file for i, file in enumerate(files)}
    (folder / own_folder.INDEX).write_text(json.dumps({"weight_map": table}))


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("way", ["../{}", "{}", "sub/../../{}", "/{}"])
def test_an_index_leads_nowhere_outside_whether_or_not_a_file_is_there(way, inside, tmp_path):
    home, secret = tmp_path / "model", tmp_path / "secret.safetensors"
    home.mkdir()
    write(home, header(4), rest=b"1234")
    if inside:
        (home / "model.safetensors").rename(secret)
        write(home, header(4), rest=b"1234")
    index(home, "model.safetensors", way.format(str(secret) if way == "{}" else secret.name))
    with pytest.raises(ValueError, match="names a file that is not one of the weights in"):
        opened(home)


def test_an_index_of_files_in_the_folder_is_let_through(tmp_path):
    write(tmp_path, header(4), rest=b"1234")
    index(tmp_path, "model.safetensors")
    opened(tmp_path)


def test_a_shard_that_is_a_link_out_of_the_folder_is_refused(tmp_path):
    home, secret = tmp_path / "model", tmp_path / "secret.safetensors"
    home.mkdir()
    write(home, header(4), rest=b"1234")
    (home / "shard.safetensors").symlink_to(secret)
    index(home, "shard.safetensors")
    with pytest.raises(ValueError, match=r"shard.safetensors points outside"):
        opened(home)


@pytest.mark.parametrize(
    "content", ["[]", "{}", '{"weight_map": {"a": 1}}', BOMB, '{"weight_map": []}']
)
def test_an_index_that_is_no_table_gets_a_sentence(content, tmp_path):
    write(tmp_path, header(4), rest=b"1234")
    (tmp_path / own_folder.INDEX).write_text(content)
    with pytest.raises(ValueError, match=r"^model.safetensors.index.json is damaged"):
        opened(tmp_path)


# ---- a models folder, and nothing else --------------------------------------------------------


@pytest.fixture
def root(tmp_path, monkeypatch):
    """ATLAS_MODELS with one model in it, one beside it, and a link from inside to that one."""
    home = tmp_path / "models"
    for folder in (home / "mine", tmp_path / "theirs", tmp_path / "models-too"):
        folder.mkdir(parents=True)
        write(folder, header(4), rest=b"1234")
    (home / "out").symlink_to(tmp_path / "theirs")
    (home / "loop").symlink_to(home / "loop")
    (home / "again").symlink_to(home / "mine")
    monkeypatch.setattr(own_folder, "ROOT", home)
    return home


@pytest.mark.parametrize("name", ["mine", "again", "./mine", "mine/", "../models/mine", "{}/mine"])
def test_a_model_inside_is_opened_by_its_name_or_its_path(name, root):
    assert own_folder.find(name.format(root)) == (root / "mine").resolve()
    opened(name.format(root))


OUTSIDE = ["{}/theirs", "{}/models-too", "../theirs", "mine/../../theirs", "out", "{}", "..", "/"]
ABSENT = ["{}/no-such", "../no-such", "no-such", "loop", "~", "~root", "bert-base-cased", "a/b"]
ODD = ["a\0b", "x" * 5000, "/dev/null", "/proc/self/environ"]


@pytest.mark.parametrize("name", [*OUTSIDE, *ABSENT, *ODD])
def test_outside_and_absent_get_the_same_sentence(name, root):
    given = name.format(root.parent)
    with pytest.raises(ValueError) as caught:
        own_folder.find(given)
    assert str(caught.value) == f"There is no model {given} in the models folder of this app."


def test_a_model_is_named_and_its_place_is_not(root):
    (root / "mine" / "model.safetensors").unlink()
    with pytest.raises(ValueError) as caught:
        opened("mine")
    assert str(caught.value).startswith("mine has no safetensors") and str(root) not in str(
        caught.value
    )


def test_the_models_that_are_there_can_be_listed(root, monkeypatch):
    assert own_folder.names() == ["again", "mine"]
    monkeypatch.setattr(own_folder, "ROOT", None)
    assert own_folder.names() == []


# ---- without a models folder ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["{}/secret", "{}/no-such", "{}/secret/key", "{}/loop"])
def test_a_folder_that_is_no_model_is_not_told_from_one_that_is_not_there(name, tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").symlink_to("/etc/localtime")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    given = name.format(tmp_path)
    with pytest.raises(ValueError) as caught:
        opened(given)
    assert str(caught.value) == (
        f"There is no model in {given}: name a folder that holds config.json."
    )


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1", "::1"])
def test_who_sits_at_the_machine_may_name_its_folders(address, monkeypatch):
    monkeypatch.setattr(own_folder, "ROOT", None)
    assert own_folder.is_open(address)
    assert not own_folder.is_open(address, forwarded=True)  # a proxy lets others in


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "10.0.0.2", "", None])
def test_strangers_may_name_models_of_the_models_folder_only(address, monkeypatch, tmp_path):
    monkeypatch.setattr(own_folder, "ROOT", None)
    assert not own_folder.is_open(address)
    monkeypatch.setattr(own_folder, "ROOT", tmp_path)
    assert own_folder.is_open(address)
    assert own_folder.is_open(address, forwarded=True)


def test_a_model_that_was_saved_again_is_another_version(tmp_path):
    write(tmp_path, header(4), rest=b"1234")
    before = own_folder.version(tmp_path)
    assert own_folder.version(tmp_path) == before
    write(tmp_path, header(8), rest=b"12345678")
    assert own_folder.version(tmp_path) != before
