"""The man page: up to date, complete, and valid man(7) markup."""

import os
import shutil
import subprocess

import pytest
from devtools.checkout import ROOT
from devtools.man_page import _escape, _format_sentence, render_man_page
from devtools.packages.desktop_files import MAN_PAGE

from browser_app.commands import COMMANDS


def test_matches_command_line() -> None:
    assert (ROOT / MAN_PAGE).read_text(encoding="utf-8") == render_man_page(), "run: packaging/dev.py texts"


def test_every_command_has_a_section() -> None:
    page = render_man_page()
    assert [line.removeprefix(".SS ") for line in page.splitlines() if line.startswith(".SS ")] == list(COMMANDS)


def test_man_shows_every_word() -> None:
    if shutil.which("man") is None:
        pytest.skip("there is no man here")
    result = subprocess.run(
        ["man", "--warnings", "--no-hyphenation", "-l", str(ROOT / MAN_PAGE)],
        env=os.environ | {"LC_ALL": "C.UTF-8", "MANWIDTH": "200", "MAN_KEEP_FORMATTING": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stderr == ""
    assert "'players>=6 ping<80 -full'" in result.stdout
    assert "HOST:PORT, readyroom://join?server=…, steam://connect/…" in result.stdout


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("--a", r"\-\-a"),
        (r"a\b", r"a\eb"),
        (".x\n.y", "\\&.x\n\\&.y"),
        ("'x", r"\(aqx"),
        ("`x`", r"\(gax\(ga"),
        ("…", "…"),
    ],
)
def test_markup_in_text_is_escaped(text: str, escaped: str) -> None:
    assert _escape(text) == escaped


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("print  at\nmost", "Print at most."),
        ("csv: x", "csv: x."),
        ("HOST:PORT", "HOST:PORT."),
        ("", ""),
        ("why not?", "Why not?"),
    ],
)
def test_help_becomes_sentences(text: str, sentence: str) -> None:
    assert _format_sentence(text) == sentence
