"""What `packaging/dev.py` finds missing on a system."""

from pathlib import Path

import pytest
from devtools import needs


def essentials(environ: dict[str, str]) -> set[str]:
    return {need.what for need in needs.needs_of_running(environ) if need.essential}


@pytest.mark.linux
def test_loadable_is_present() -> None:
    assert needs.can_load("libc.so.6")
    assert not needs.can_load("libready-room-has-no-such.so.6")


def test_font_at_any_depth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "FONT_FOLDERS", (tmp_path / "absent", tmp_path))
    (tmp_path / "truetype" / "dejavu").mkdir(parents=True)
    (tmp_path / "truetype" / "fonts.dir").touch()
    assert not needs.has_font()
    (tmp_path / "truetype" / "dejavu" / "DejaVuSans.TTF").touch()
    assert needs.has_font()


@pytest.mark.posix
def test_program_must_be_executable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    program = tmp_path / "Xvfb-of-a-test"
    program.touch(mode=0o644)
    assert not needs.has_program(program.name)
    program.chmod(0o755)
    assert needs.has_program(program.name)


@pytest.mark.linux
def test_only_pip_without_display() -> None:
    assert essentials({}) == {"Python's ensurepip module"}


@pytest.mark.linux
def test_display_needs_libraries() -> None:
    on_x11, on_wayland = essentials({"DISPLAY": ":0"}), essentials({"WAYLAND_DISPLAY": "wayland-0"})
    assert "libEGL.so.1" in on_x11 & on_wayland
    assert "libxcb-cursor.so.0" in on_x11 - on_wayland
    assert "libwayland-client.so.0" in on_wayland - on_x11


@pytest.mark.linux
def test_either_display_will_do() -> None:
    found = essentials({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"})
    assert "libEGL.so.1" in found
    assert not found & {"libxcb-cursor.so.0", "libwayland-client.so.0"}


@pytest.mark.linux
def test_needs_of_tests_are_met() -> None:
    lacking = [need.what for need in [*needs.needs_of_running({}), *needs.needs_of_testing()] if not need.present()]
    assert not set(lacking) & set(needs.QT_LIBRARIES)
