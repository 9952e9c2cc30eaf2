"""When the checkout's virtual environment is created, changed or left alone."""

from pathlib import Path

import pytest
from devtools import checkout_venv, venv_stamp
from devtools.setup_messages import SetupError


class FakeInstaller:
    """Stands in for `venv` and pip: records its steps, and may fail."""

    def __init__(self, folder: Path) -> None:
        self.venv = folder / ".venv"
        self.steps: list[str] = []
        self.is_failing = False

    def create(self, _: int) -> None:
        self.steps.append("create")
        (self.venv / "pyvenv.cfg").touch()

    def install(self, requirements: Path, _: int) -> None:
        self.steps.append(requirements.stem)
        if self.is_failing:
            raise SetupError("no network")

    def prepare(self, *, dev: bool = False) -> list[str]:
        """Prepare the environment and return the steps."""
        self.steps = []
        checkout_venv.prepare_checkout_venv(dev=dev)
        return self.steps


@pytest.fixture
def installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeInstaller:
    fake = FakeInstaller(tmp_path)
    for name in ("runtime.txt", "dev.txt", "pyproject.toml"):
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(checkout_venv, "VENV", fake.venv)
    monkeypatch.setattr(checkout_venv, "VENV_LOCK", tmp_path / ".venv.lock")
    monkeypatch.setattr(checkout_venv, "PYPROJECT", tmp_path / "pyproject.toml")
    monkeypatch.setattr(checkout_venv, "RUNTIME_REQUIREMENTS", tmp_path / "runtime.txt")
    monkeypatch.setattr(checkout_venv, "DEV_REQUIREMENTS", tmp_path / "dev.txt")
    monkeypatch.setattr(checkout_venv, "_create", fake.create)
    monkeypatch.setattr(checkout_venv, "_install", fake.install)
    monkeypatch.setattr(checkout_venv, "_is_usable", (fake.venv / "pyvenv.cfg").exists)
    return fake


def test_unchanged_environment_is_reused(installer: FakeInstaller) -> None:
    assert installer.prepare() == ["create", "runtime"]
    assert installer.prepare() == []


def test_dev_includes_runtime(installer: FakeInstaller) -> None:
    installer.prepare()
    assert installer.prepare(dev=True) == ["dev"]
    assert installer.prepare(dev=False) == []


@pytest.mark.parametrize("changed", ["runtime.txt", "pyproject.toml"])
def test_change_reinstalls_once(installer: FakeInstaller, tmp_path: Path, changed: str) -> None:
    installer.prepare()
    (tmp_path / changed).write_text("another")
    assert installer.prepare() == ["runtime"]
    assert installer.prepare() == []


def test_run_ignores_dev_changes(installer: FakeInstaller, tmp_path: Path) -> None:
    installer.prepare(dev=True)
    (tmp_path / "dev.txt").write_text("another")
    assert installer.prepare(dev=False) == []
    assert installer.prepare(dev=True) == ["dev"]


def test_interrupted_set_up_restarts(installer: FakeInstaller) -> None:
    installer.is_failing = True
    with pytest.raises(SetupError, match="no network"):
        installer.prepare()
    leftover = installer.venv / "half-installed"
    leftover.touch()
    installer.is_failing = False
    assert installer.prepare() == ["create", "runtime"]
    assert not leftover.exists()


def test_interrupted_change_restarts(installer: FakeInstaller, tmp_path: Path) -> None:
    installer.prepare()
    (tmp_path / "runtime.txt").write_text("another")
    installer.is_failing = True
    with pytest.raises(SetupError):
        installer.prepare()
    installer.is_failing = False
    assert installer.prepare() == ["create", "runtime"]


def test_another_python_needs_new_environment(installer: FakeInstaller, monkeypatch: pytest.MonkeyPatch) -> None:
    installer.prepare()
    monkeypatch.setattr(venv_stamp, "python_identity", lambda venv: "another Python")
    assert installer.prepare() == ["create", "runtime"]


def test_users_own_environment_is_kept(installer: FakeInstaller) -> None:
    installer.venv.mkdir()
    (installer.venv / "pyvenv.cfg").touch()
    own_file = installer.venv / "own"
    own_file.touch()
    assert installer.prepare() == ["runtime"]
    assert own_file.exists()


def test_broken_environment_is_replaced(installer: FakeInstaller) -> None:
    installer.venv.mkdir()
    assert installer.prepare() == ["create", "runtime"]
