"""The command line of `packaging/dev.py`."""

import ast
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from devtools import command_line
from devtools.errors import SetupError

DEV = Path(__file__).resolve().parents[2] / "packaging" / "dev.py"


class FakeAudit:
    is_safe = True

    def report(self) -> bool:
        return self.is_safe


def test_older_python_is_refused() -> None:
    body = ast.parse(DEV.read_text(encoding="utf-8"), feature_version=(3, 4)).body
    docstring, needs_sys, check, *rest = body
    assert isinstance(docstring, ast.Expr)
    assert isinstance(needs_sys, ast.Import)
    assert isinstance(check, ast.If)
    assert any(isinstance(node, ast.ImportFrom) for node in rest)


def test_arguments_pass_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[list[str]] = []

    def run(arguments: Sequence[str]) -> int:
        passed.append(list(arguments))
        return 7

    monkeypatch.setitem(command_line.COMMANDS, "run", run)
    assert command_line.main(["run", "--help", "-x", "--", "list"]) == 7
    assert passed == [["--help", "-x", "--", "list"]]


def test_stop_is_told_in_plain_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stops(_: object) -> int:
        raise SetupError("Type this.")

    monkeypatch.setitem(command_line.COMMANDS, "setup", stops)
    assert command_line.main(["setup"]) == 1
    assert capsys.readouterr() == ("", "Type this.\n")


def test_ctrl_c_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setitem(command_line.COMMANDS, "setup", interrupted)
    assert command_line.main(["setup"]) == 130
    assert capsys.readouterr() == ("", "")


def test_failed_check_fails_all(monkeypatch: pytest.MonkeyPatch) -> None:
    pins = FakeAudit()
    monkeypatch.setattr(command_line, "Audit", lambda: pins)
    monkeypatch.setattr(command_line, "_setup_dev", lambda: None)
    monkeypatch.setattr(command_line, "_tool", lambda name, *arguments: 1 if name == "mypy" else 0)
    assert command_line.main(["test"]) == 1
    monkeypatch.setattr(command_line, "_tool", lambda name, *arguments: 0)
    assert command_line.main(["test"]) == 0
    pins.is_safe = False
    assert command_line.main(["test"]) == 1


def test_help_names_every_command() -> None:
    shown = subprocess.run([sys.executable, DEV, "--help"], capture_output=True, text=True, check=True).stdout
    assert all(f"  {name}" in shown for name in command_line.COMMANDS)
