"""Debian packages: installed as root, else named in an error or a message."""

from pathlib import Path

import pytest
from devtools import apt_packages, debian_services
from devtools.apt_packages import format_install_advice, provide_dependencies
from devtools.setup_messages import SetupError
from devtools.system_dependencies import SystemDependency


def missing_dependency(name: str, *, is_essential: bool = True) -> SystemDependency:
    return SystemDependency(name, f"{name}-package", is_essential, lambda: False)


def set_system(monkeypatch: pytest.MonkeyPatch, *, debian: bool, root: bool, sudo: bool = True) -> None:
    monkeypatch.setattr(apt_packages, "is_debian", lambda: debian)
    monkeypatch.setattr(apt_packages, "is_root", lambda: root)
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/sudo" if sudo and name == "sudo" else None)


@pytest.fixture
def fake_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An apt-get that fails to install; the file holds its arguments."""
    log = tmp_path / "log"
    script = tmp_path / "apt-get"
    words = "for number in 1 2 3 4 5 6; do echo word $number; done"
    script.write_text(f'#!/bin/sh\necho "$@" >> {log}\ncase "$*" in *install*) {words}; exit 100;; esac\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for folder in ("run", "usr/sbin"):
        (tmp_path / "root" / folder).mkdir(parents=True)
    monkeypatch.setattr(debian_services, "SYSTEM_ROOT", tmp_path / "root")
    return log


def test_nothing_missing_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    provide_dependencies([SystemDependency("here", "here-package", True, lambda: True)])
    assert capsys.readouterr() == ("", "")


def test_command_without_root(monkeypatch: pytest.MonkeyPatch) -> None:
    set_system(monkeypatch, debian=True, root=False)
    with pytest.raises(SetupError) as error:
        provide_dependencies([missing_dependency("libEGL"), missing_dependency("a font", is_essential=False)])
    assert "\n    sudo apt-get install libEGL-package 'a font-package'\n" in str(error.value)


def test_su_without_sudo(monkeypatch: pytest.MonkeyPatch) -> None:
    set_system(monkeypatch, debian=True, root=False, sudo=False)
    assert "\n    su -c 'apt-get install libEGL-package'\n" in format_install_advice([missing_dependency("libEGL")])


def test_other_systems_list_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    set_system(monkeypatch, debian=False, root=True)
    names = [f"lib{number}.so" for number in range(9)]
    with pytest.raises(SetupError) as error:
        provide_dependencies([missing_dependency(name) for name in names])
    assert all(name in str(error.value) for name in names)
    assert "apt-get" not in str(error.value)


def test_long_list_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    set_system(monkeypatch, debian=True, root=False)
    message = format_install_advice([missing_dependency(f"lib{number}") for number in range(9)])
    assert "lib0, lib1, lib2 and 6 more." in message
    assert "lib8-package" in message


def test_optional_is_only_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    set_system(monkeypatch, debian=True, root=False)
    provide_dependencies([missing_dependency("Xvfb", is_essential=False)])
    out, err = capsys.readouterr()
    assert out == ""
    assert "Going on without what is not essential" in err
    assert "sudo apt-get install Xvfb-package" in err


def test_root_installs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[str] = []
    set_system(monkeypatch, debian=True, root=True)
    monkeypatch.setattr(apt_packages, "install_packages", installed.extend)
    monkeypatch.setattr(apt_packages, "update_package_lists", lambda: None)
    dependencies = [SystemDependency(name, "libqt", True, lambda: "libqt" in installed) for name in ("libA", "libB")]
    provide_dependencies(dependencies)
    assert installed == ["libqt"]


@pytest.mark.posix
def test_failure_shows_output(monkeypatch: pytest.MonkeyPatch, fake_apt: Path) -> None:
    monkeypatch.setattr(apt_packages, "can_install", lambda: True)
    with pytest.raises(SetupError) as error:
        provide_dependencies([missing_dependency("libEGL")])
    message = str(error.value)
    assert "word 2" not in message
    assert "    word 5\n    word 6\nTried: apt-get update; apt-get install libEGL-package\n" in message
    update, install = fake_apt.read_text().splitlines()
    assert update.endswith("update")
    assert install.endswith("install libEGL-package")


@pytest.mark.posix
def test_optional_failure_warns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fake_apt: Path
) -> None:
    monkeypatch.setattr(apt_packages, "can_install", lambda: True)
    provide_dependencies([missing_dependency("Xvfb", is_essential=False)])
    assert "could not be installed" in capsys.readouterr().err
