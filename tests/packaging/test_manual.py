"""The manual page is that of this program, and well written."""

import os
import shutil
import subprocess

import pytest
from devtools import manual
from devtools.checkout import ROOT
from devtools.packages.desktop import MANUAL

from browser_app.commands import COMMANDS


def test_matches_command_line() -> None:
    assert (ROOT / MANUAL).read_text(encoding="utf-8") == manual.current_page(), "run: packaging/dev.py texts"


def test_every_command_has_its_part() -> None:
    page = manual.current_page()
    assert [line.removeprefix(".SS ") for line in page.splitlines() if line.startswith(".SS ")] == list(COMMANDS)


def test_man_shows_every_word() -> None:
    if shutil.which("man") is None:
        pytest.skip("there is no man here")
    shown = subprocess.run(
        ["man", "--warnings", "--no-hyphenation", "-l", str(ROOT / MANUAL)],
        env=os.environ | {"LC_ALL": "C.UTF-8", "MANWIDTH": "200", "MAN_KEEP_FORMATTING": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stderr == ""
    assert "'players>=6 ping<80 -full'" in shown.stdout
    assert "HOST:PORT, readyroom://join?server=…, steam://connect/…" in shown.stdout


@pytest.mark.parametrize(
    ("words", "escaped"),
    [
        ("--a", r"\-\-a"),
        (r"a\b", r"a\eb"),
        (".x\n.y", "\\&.x\n\\&.y"),
        ("'x", r"\(aqx"),
        ("`x`", r"\(gax\(ga"),
        ("…", "…"),
    ],
)
def test_words_are_never_commands(words: str, escaped: str) -> None:
    assert manual._text(words) == escaped


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("print  at\nmost", "Print at most."),
        ("csv: x", "csv: x."),
        ("HOST:PORT", "HOST:PORT."),
        ("", ""),
        ("why not?", "Why not?"),
    ],
)
def test_help_becomes_sentences(words: str, sentence: str) -> None:
    assert manual._sentence(words) == sentence
