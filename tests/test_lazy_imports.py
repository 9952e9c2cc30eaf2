"""A start imports only what it needs: every module delays it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

RUN = """
import sys
from browser_app.app import run_program
assert run_program(sys.argv[1:]) == 0
"""
UNTIL_PAINTED = """
import sys
import browser_app.startup_timing

def mark_startup(event):
    if event == "first_paint":
        from PySide6.QtWidgets import QApplication
        print_modules()
        QApplication.quit()

browser_app.startup_timing.mark_startup = mark_startup
from browser_app.app import run_program
run_program(sys.argv[1:])
"""
SKILL_MODULES = {
    f"browser_app.{name}"
    for name in (
        "rating",
        "rounds",
        "player.own_history",
        "application.own_skill.skill_record_loader",
        "ui.skill.skill_pages",
    )
}
PRINT_MODULES = """
def print_modules():
    import sys
    print("\\nLOADED", *sys.modules)
"""


def loaded_modules(program: str, *words: str) -> set[str]:
    """Run a program and return the modules that it prints, with their packages."""
    result = subprocess.run(
        [sys.executable, "-c", PRINT_MODULES + program, *words],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    names = result.stdout.rpartition("\nLOADED ")[2].split()
    assert "browser_app.app" in names
    return {".".join(name.split(".")[: n + 1]) for name in names for n in range(name.count(".") + 1)}


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
            ["list", "--demo=2", "--skill=1500", "--pace=unlimited", "--format=json"],
            {
                "PySide6",
                "asyncio",
                "numpy.ma",
                "rich",
                "browser_app.rating",
                "browser_app.rounds",
                "browser_app.commands.output.terminal_server_table",
            },
        ),
    ],
)
def test_commands(words: list[str], without: set[str]) -> None:
    assert not loaded_modules(RUN + "print_modules()", *words) & without


def test_rating_of_files_opens_no_storage(tmp_path: Path) -> None:
    rounds = tmp_path / "rounds.jsonl"
    rounds.write_text(
        '{"id": "1", "teams": ["a", "b"], "winner": "a", "started": "2024-05-01", "duration": 60, "players": []}\n'
    )
    loaded = loaded_modules(RUN + "print_modules()", "rate", "--system=ns2", str(rounds))
    assert not loaded & {"PySide6", "browser_app.storage.user_storage", "browser_app.catalogue.catalogue"}


def test_first_paint_is_before_my_skill(tmp_path: Path) -> None:
    empty_list = tmp_path / "servers.json"
    empty_list.write_text('{"servers": []}', encoding="utf-8")
    loaded = loaded_modules(UNTIL_PAINTED, "--master", f"file:{empty_list}")
    assert not loaded & (SKILL_MODULES | {"browser_app.demo.demo_network"})
    assert "browser_app.ui.main_window" in loaded


def test_my_skill_view(tmp_path: Path) -> None:
    empty_list, picture = tmp_path / "servers.json", tmp_path / "window.png"
    empty_list.write_text('{"servers": []}', encoding="utf-8")
    loaded = loaded_modules(
        RUN + "print_modules()", "screenshot", "--master", f"file:{empty_list}", "--view", "skill", str(picture)
    )
    assert loaded >= SKILL_MODULES - {"browser_app.rounds"}  # no rounds are imported
    assert picture.exists()
