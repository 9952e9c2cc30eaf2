"""When `packaging/dev.py` makes an environment, changes it or leaves it alone."""

from pathlib import Path

import pytest
from devtools import environment, stamp
from devtools.errors import SetupError


class Workshop:
    """Stands in for Python's venv and for pip: keeps what was done, and may fail."""

    def __init__(self, folder: Path) -> None:
        self.venv = folder / ".venv"
        self.done: list[str] = []
        self.fails = False

    def make(self, _: int) -> None:
        self.done.append("make")
        (self.venv / "pyvenv.cfg").touch()

    def install(self, requirements: Path, _: int) -> None:
        self.done.append(requirements.stem)
        if self.fails:
            raise SetupError("no network")

    def prepare(self, *, dev: bool = False) -> list[str]:
        """Set up and tell what was done."""
        self.done = []
        environment.prepare(dev=dev)
        return self.done


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    shop = Workshop(tmp_path)
    for name in ("runtime.txt", "dev.txt", "pyproject.toml"):
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(environment, "VENV", shop.venv)
    monkeypatch.setattr(environment, "LOCK", tmp_path / ".venv.lock")
    monkeypatch.setattr(environment, "PROJECT", tmp_path / "pyproject.toml")
    monkeypatch.setattr(environment, "RUNTIME_REQUIREMENTS", tmp_path / "runtime.txt")
    monkeypatch.setattr(environment, "DEV_REQUIREMENTS", tmp_path / "dev.txt")
    monkeypatch.setattr(environment, "_create", shop.make)
    monkeypatch.setattr(environment, "_install", shop.install)
    monkeypatch.setattr(environment, "_works", (shop.venv / "pyvenv.cfg").exists)
    return shop


def test_unchanged_is_kept(workshop: Workshop) -> None:
    assert workshop.prepare() == ["make", "runtime"]
    assert workshop.prepare() == []


def test_dev_includes_runtime(workshop: Workshop) -> None:
    workshop.prepare()
    assert workshop.prepare(dev=True) == ["dev"]
    assert workshop.prepare(dev=False) == []


@pytest.mark.parametrize("changed", ["runtime.txt", "pyproject.toml"])
def test_change_reinstalls_once(workshop: Workshop, tmp_path: Path, changed: str) -> None:
    workshop.prepare()
    (tmp_path / changed).write_text("another")
    assert workshop.prepare() == ["runtime"]
    assert workshop.prepare() == []


def test_run_ignores_dev_changes(workshop: Workshop, tmp_path: Path) -> None:
    workshop.prepare(dev=True)
    (tmp_path / "dev.txt").write_text("another")
    assert workshop.prepare(dev=False) == []
    assert workshop.prepare(dev=True) == ["dev"]


def test_interrupted_set_up_restarts(workshop: Workshop) -> None:
    workshop.fails = True
    with pytest.raises(SetupError, match="no network"):
        workshop.prepare()
    leftover = workshop.venv / "half-installed"
    leftover.touch()
    workshop.fails = False
    assert workshop.prepare() == ["make", "runtime"]
    assert not leftover.exists()


def test_interrupted_change_restarts(workshop: Workshop, tmp_path: Path) -> None:
    workshop.prepare()
    (tmp_path / "runtime.txt").write_text("another")
    workshop.fails = True
    with pytest.raises(SetupError):
        workshop.prepare()
    workshop.fails = False
    assert workshop.prepare() == ["make", "runtime"]


def test_another_python_needs_new_environment(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.prepare()
    monkeypatch.setattr(stamp, "python_identity", lambda venv: "another Python")
    assert workshop.prepare() == ["make", "runtime"]


def test_handmade_is_kept(workshop: Workshop) -> None:
    workshop.venv.mkdir()
    (workshop.venv / "pyvenv.cfg").touch()
    theirs = workshop.venv / "theirs"
    theirs.touch()
    assert workshop.prepare() == ["runtime"]
    assert theirs.exists()


def test_broken_is_replaced(workshop: Workshop) -> None:
    workshop.venv.mkdir()
    assert workshop.prepare() == ["make", "runtime"]
