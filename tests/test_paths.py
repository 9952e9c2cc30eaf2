"""File names made of any text, and the runtime folder."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.paths import printable_path, runtime_folder, safe_file_name

PATHS = {
    "/a/\x1b[31mred\u202egnp.json: is not JSON": r"/a/\x1b[31mred\u202egnp.json: is not JSON",
    "/a/\udcff.json": r"/a/\xff.json",
    "/Größe/ש „x“": "/Größe/ש „x“",
}
RESERVED = ("CON", "NUL", "AUX", "PRN", "COM1", "LPT9")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ns2-trueskill2", "ns2-trueskill2"),
        ("Ünïcode ★", "Ünïcode ★"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("C:\\Windows\\x", "C__Windows_x"),
        ("--help", "help"),
        (".hidden", "hidden"),
        ("~root", "root"),
        ("two\nlines\u202e.exe", "twolines.exe"),
        ("ends. . ", "ends"),
        ("nul", "nul_"),
        ("Com1.tar", "Com1.tar_"),
        ("", "_"),
        ("..", "_"),
    ],
)
def test_safe_file_name(text: str, name: str) -> None:
    assert safe_file_name(text) == name


@given(st.text())
def test_any_text_makes_a_file_name(text: str) -> None:
    for name in (safe_file_name(text), safe_file_name(text * 300)):
        assert 0 < len(name.encode()) <= 101
        assert name.isprintable() or any(each.isspace() for each in name)
        assert not set(name) & set('/\\:*?"<>|\n\r\0')
        assert name[0] not in " .-~"
        assert name.rstrip(" .") == name
        assert name.split(".")[0].upper() not in RESERVED or name.endswith("_")


def test_runtime_folder_needs_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("READY_ROOM_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert runtime_folder().name == "ready-room"


@pytest.mark.posix
@pytest.mark.parametrize(("path", "text"), PATHS.items())
def test_printable_path(path: str, text: str) -> None:
    assert printable_path(path) == text
