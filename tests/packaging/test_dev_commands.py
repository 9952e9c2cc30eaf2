"""The command line of `packaging/dev.py`."""

import ast
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest
from devtools import dev_commands
from devtools.setup_messages import SetupError

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

    monkeypatch.setitem(dev_commands.COMMANDS, "run", run)
    assert dev_commands.main(["run", "--help", "-x", "--", "list"]) == 7
    assert passed == [["--help", "-x", "--", "list"]]


def test_setup_error_is_printed_plainly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(_: object) -> int:
        raise SetupError("Type this.")

    monkeypatch.setitem(dev_commands.COMMANDS, "setup", fail)
    assert dev_commands.main(["setup"]) == 1
    assert capsys.readouterr() == ("", "Type this.\n")


def test_ctrl_c_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setitem(dev_commands.COMMANDS, "setup", interrupted)
    assert dev_commands.main(["setup"]) == 130
    assert capsys.readouterr() == ("", "")


def test_failed_check_fails_all(monkeypatch: pytest.MonkeyPatch) -> None:
    pins = FakeAudit()
    monkeypatch.setattr(dev_commands, "DependencyAudit", lambda: pins)
    monkeypatch.setattr(dev_commands, "_set_up_dev", lambda: None)
    monkeypatch.setattr(dev_commands, "_start_test_collection", lambda _arguments: nullcontext())
    monkeypatch.setattr(dev_commands, "_run_tool", lambda name, *arguments: 1 if name == "mypy" else 0)
    assert dev_commands.main(["test"]) == 1
    monkeypatch.setattr(dev_commands, "_run_tool", lambda name, *arguments: 0)
    assert dev_commands.main(["test"]) == 0
    pins.is_safe = False
    assert dev_commands.main(["test"]) == 1


def test_help_names_every_command() -> None:
    output = subprocess.run([sys.executable, DEV, "--help"], capture_output=True, text=True, check=True).stdout
    assert all(f"  {name}" in output for name in dev_commands.COMMANDS)


@pytest.mark.parametrize(("argument", "status"), [("--help", 0), ("tests/rating", 2)])
def test_command_without_arguments_takes_none(argument: str, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_info:
        dev_commands.main(["audit", argument])
    assert exit_info.value.code == status
    assert "packaging/dev.py audit" in "".join(capsys.readouterr())
