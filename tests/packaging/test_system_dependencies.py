"""Libraries, programs and fonts of the system: present or not, essential or not."""

from pathlib import Path

import pytest
from devtools import system_dependencies
from devtools.system_dependencies import list_runtime_dependencies, list_test_dependencies


def essential_names(environ: dict[str, str]) -> set[str]:
    return {dependency.name for dependency in list_runtime_dependencies(environ) if dependency.is_essential}


@pytest.mark.linux
def test_loadable_is_present() -> None:
    assert system_dependencies.can_load("libc.so.6")
    assert not system_dependencies.can_load("libready-room-has-no-such.so.6")


def test_font_at_any_depth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_dependencies, "FONT_FOLDERS", (tmp_path / "absent", tmp_path))
    (tmp_path / "truetype" / "dejavu").mkdir(parents=True)
    (tmp_path / "truetype" / "fonts.dir").touch()
    assert not system_dependencies.has_font()
    (tmp_path / "truetype" / "dejavu" / "DejaVuSans.TTF").touch()
    assert system_dependencies.has_font()


@pytest.mark.posix
def test_program_must_be_executable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    program = tmp_path / "Xvfb-of-a-test"
    program.touch(mode=0o644)
    assert not system_dependencies.has_program(program.name)
    program.chmod(0o755)
    assert system_dependencies.has_program(program.name)


@pytest.mark.linux
def test_only_pip_without_display() -> None:
    assert essential_names({}) == {"Python's ensurepip module"}


@pytest.mark.linux
def test_display_needs_libraries() -> None:
    on_x11, on_wayland = essential_names({"DISPLAY": ":0"}), essential_names({"WAYLAND_DISPLAY": "wayland-0"})
    assert "libEGL.so.1" in on_x11 & on_wayland
    assert "libxcb-cursor.so.0" in on_x11 - on_wayland
    assert "libwayland-client.so.0" in on_wayland - on_x11


@pytest.mark.linux
def test_either_display_will_do() -> None:
    essential = essential_names({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"})
    assert "libEGL.so.1" in essential
    assert not essential & {"libxcb-cursor.so.0", "libwayland-client.so.0"}


@pytest.mark.linux
def test_dependencies_of_tests_are_present() -> None:
    dependencies = [*list_runtime_dependencies({}), *list_test_dependencies()]
    missing = {each.name for each in dependencies if not each.is_present()}
    assert not missing & set(system_dependencies.QT_LIBRARIES)
