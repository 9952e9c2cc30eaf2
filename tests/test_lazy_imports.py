"""A start loads what it needs and no more: every module is time before the first paint or a command's answer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = """
import sys
from browser_app.app import run
assert run(sys.argv[1:]) == 0
"""
UNTIL_PAINTED = """
import sys
import browser_app.startup_timing

def mark(event):
    if event == "first_paint":
        from PySide6.QtWidgets import QApplication
        say()
        QApplication.quit()

browser_app.startup_timing.mark = mark
from browser_app.app import run
run(sys.argv[1:])
"""
OF_MY_SKILL = {
    f"browser_app.{name}"
    for name in (
        "rating",
        "rounds",
        "player.own_history",
        "application.skill_record_loader",
        "ui.skill.skill_pages",
    )
}
SAY = """
def say():
    import sys
    print("\\nLOADED", *sys.modules)
"""


def loaded(program: str, *words: str) -> set[str]:
    """The modules that a program has loaded when it says so, with all packages that they are in."""
    done = subprocess.run(
        [sys.executable, "-c", SAY + program, *words],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    said = done.stdout.rpartition("\nLOADED ")[2].split()
    assert "browser_app.app" in said
    return {".".join(name.split(".")[: n + 1]) for name in said for n in range(name.count(".") + 1)}


@pytest.mark.parametrize(
    ("words", "without"),
    [
        (["--version"], {"numpy", "requests", "PySide6", "browser_app.commands.list_command"}),
        (
            ["score", "--players=3", "--max-players=8", "--ping=30"],
            {"requests", "PySide6", "browser_app.engine.query.scanner"},
        ),
        (
            ["list", "--help"],
            {
                "PySide6",
                "requests",
                "rich",
                "browser_app.rating",
                "browser_app.rounds",
                "browser_app.demo.demo_network",
            },
        ),
        (
            ["list", "--demo=2", "--pace=unlimited", "--format=json"],
            {
                "PySide6",
                "numpy.ma",
                "rich",
                "browser_app.rating",
                "browser_app.rounds",
                "browser_app.commands.output.terminal_server_table",
            },
        ),
    ],
)
def test_a_command_loads_what_it_needs(words: list[str], without: set[str]) -> None:
    assert not loaded(RUN + "say()", *words) & without


def test_the_window_paints_before_my_skill_is_loaded(tmp_path: Path) -> None:
    nobody = tmp_path / "servers.json"
    nobody.write_text('{"servers": []}', encoding="utf-8")
    there = loaded(UNTIL_PAINTED, "--master", f"file:{nobody}")
    assert not there & (OF_MY_SKILL | {"browser_app.demo.demo_network"})
    assert "browser_app.ui.main_window" in there


def test_my_skill_is_loaded_when_it_is_shown(tmp_path: Path) -> None:
    nobody, picture = tmp_path / "servers.json", tmp_path / "window.png"
    nobody.write_text('{"servers": []}', encoding="utf-8")
    there = loaded(RUN + "say()", "screenshot", "--master", f"file:{nobody}", "--view", "skill", str(picture))
    assert there >= OF_MY_SKILL - {"browser_app.rounds"}  # nothing is read in
    assert picture.exists()
