"""What `packaging/dev.py` does and says about what is missing."""

from pathlib import Path

import pytest
from devtools import services, system
from devtools.errors import SetupError
from devtools.needs import Need


def lacking(what: str, *, essential: bool = True) -> Need:
    return Need(what, f"{what}-package", essential, lambda: False)


def make_system(monkeypatch: pytest.MonkeyPatch, *, debian: bool, root: bool, sudo: bool = True) -> None:
    monkeypatch.setattr(system, "is_debian", lambda: debian)
    monkeypatch.setattr(system, "is_root", lambda: root)
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/sudo" if sudo and name == "sudo" else None)


@pytest.fixture
def fake_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An apt-get that fails to install; the file holds its arguments."""
    told = tmp_path / "told"
    script = tmp_path / "apt-get"
    words = "for number in 1 2 3 4 5 6; do echo word $number; done"
    script.write_text(f'#!/bin/sh\necho "$@" >> {told}\ncase "$*" in *install*) {words}; exit 100;; esac\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for folder in ("run", "usr/sbin"):
        (tmp_path / "root" / folder).mkdir(parents=True)
    monkeypatch.setattr(services, "SYSTEM", tmp_path / "root")
    return told


def test_nothing_missing_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    system.provide([Need("here", "here-package", True, lambda: True)])
    assert capsys.readouterr() == ("", "")


def test_command_without_root(monkeypatch: pytest.MonkeyPatch) -> None:
    make_system(monkeypatch, debian=True, root=False)
    with pytest.raises(SetupError) as stopped:
        system.provide([lacking("libEGL"), lacking("a font", essential=False)])
    assert "\n    sudo apt-get install libEGL-package 'a font-package'\n" in str(stopped.value)


def test_su_without_sudo(monkeypatch: pytest.MonkeyPatch) -> None:
    make_system(monkeypatch, debian=True, root=False, sudo=False)
    assert "\n    su -c 'apt-get install libEGL-package'\n" in system.advice([lacking("libEGL")])


def test_other_systems_list_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    make_system(monkeypatch, debian=False, root=True)
    names = [f"lib{number}.so" for number in range(9)]
    with pytest.raises(SetupError) as stopped:
        system.provide([lacking(name) for name in names])
    assert all(name in str(stopped.value) for name in names)
    assert "apt-get" not in str(stopped.value)


def test_long_list_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    make_system(monkeypatch, debian=True, root=False)
    said = system.advice([lacking(f"lib{number}") for number in range(9)])
    assert "lib0, lib1, lib2 and 6 more." in said
    assert "lib8-package" in said


def test_optional_is_only_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    make_system(monkeypatch, debian=True, root=False)
    system.provide([lacking("Xvfb", essential=False)])
    out, err = capsys.readouterr()
    assert out == ""
    assert "Going on without what is not essential" in err
    assert "sudo apt-get install Xvfb-package" in err


def test_root_installs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[str] = []
    make_system(monkeypatch, debian=True, root=True)
    monkeypatch.setattr(system, "install", installed.extend)
    monkeypatch.setattr(system, "update_lists", lambda: None)
    needs = [Need(what, "libqt", True, lambda: "libqt" in installed) for what in ("libA", "libB")]
    system.provide(needs)
    assert installed == ["libqt"]


@pytest.mark.posix
def test_failure_shows_output(monkeypatch: pytest.MonkeyPatch, fake_apt: Path) -> None:
    monkeypatch.setattr(system, "may_install", lambda: True)
    with pytest.raises(SetupError) as stopped:
        system.provide([lacking("libEGL")])
    said = str(stopped.value)
    assert "word 2" not in said
    assert "    word 5\n    word 6\nTried: apt-get update; apt-get install libEGL-package\n" in said
    update, install = fake_apt.read_text().splitlines()
    assert update.endswith("update")
    assert install.endswith("install libEGL-package")


@pytest.mark.posix
def test_optional_failure_warns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fake_apt: Path
) -> None:
    monkeypatch.setattr(system, "may_install", lambda: True)
    system.provide([lacking("Xvfb", essential=False)])
    assert "could not be installed" in capsys.readouterr().err
