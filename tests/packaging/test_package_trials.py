"""Trials of packages report missing libraries, leftovers and wrong output."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from devtools.checkout import RUNTIME_REQUIREMENTS
from devtools.setup_messages import SetupError
from devtools.trials.deb_trial import find_missing_libraries
from devtools.trials.licence_trial import select_pins
from devtools.trials.package_trial import DEMO_SERVERS, InstalledProgram, PackageTrial, exercise_program
from devtools.trials.trial_home import find_leftovers

LDD_OUTPUT = """\
/usr/lib/app/a.so:
\tlinux-vdso.so.1 (0x00007ffd)
\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f00)
/usr/lib/app/b.so:
\tlibwayland-cursor.so.0 => not found
\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f00)
\tlibwayland-cursor.so.0 => not found
/usr/lib/app/libqgtk3.so:
\tlibgtk-3.so.0 => not found
"""


def test_missing_library_is_named() -> None:
    assert find_missing_libraries(LDD_OUTPUT) == {"b.so": ["libwayland-cursor.so.0"]}


def test_only_user_data_may_remain(tmp_path: Path) -> None:
    for name in (
        ".config/ready-room/settings.toml",
        ".local/share/ready-room/it.sqlite",
        ".cache/qt/it",
        "bin/ready-room",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert find_leftovers(tmp_path) == ["bin/ready-room"]


class FakeProgram:
    """A program whose version and number of listed servers can be wrong."""

    def __init__(self, pictures: Path, version: str = "1.0", servers: int = DEMO_SERVERS) -> None:
        self.pictures, self.version, self.servers = pictures, version, servers
        self.commands: list[list[str]] = []

    def run(self, command: Sequence[str | Path]) -> str:
        words = list(map(str, command))
        self.commands.append(words)
        if "screenshot" in words:
            Path(words[2]).write_bytes(b"PNG")
        return {"--version": f"ready-room {self.version}\n", "list": "a server\n" * self.servers}.get(words[1], "")


def try_program(program: FakeProgram, output_folder: Path) -> None:
    installed = InstalledProgram(program.run, "ready-room", str(program.pictures), program.pictures)
    exercise_program(PackageTrial("wheel", [], output_folder, output_folder, "1.0"), installed)


def test_working_program_leaves_pictures(tmp_path: Path) -> None:
    pictures, output_folder = tmp_path / "pictures", tmp_path / "out"
    pictures.mkdir()
    output_folder.mkdir()
    program = FakeProgram(pictures)
    try_program(program, output_folder)
    assert {path.name for path in output_folder.iterdir()} == {"wheel-servers.png", "wheel-skill.png"}
    assert program.commands[-1][-1] == "ready-room"


@pytest.mark.parametrize(
    ("change", "message"), [({"version": "0.9"}, "not 1.0"), ({"servers": 1}, "1 lines of 20 servers")]
)
def test_other_output_fails(tmp_path: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(SetupError, match=message):
        try_program(FakeProgram(tmp_path, **change), tmp_path)  # type: ignore[arg-type] # one of its two


def test_pins_of_other_systems_are_left_out() -> None:
    requirements = """\
both==1.0 \\
    --hash=sha256:00 \\
    --hash=sha256:01
bus==2.0 ; python_full_version < '3.12' and sys_platform == 'linux' \\
    --hash=sha256:02
keys==3.0.1 ; sys_platform == 'win32' \\
    --hash=sha256:03
old==4.0 ; python_full_version < '3.12' \\
    --hash=sha256:04
"""
    assert list(select_pins(requirements, "linux")) == ["both", "bus", "old"]
    windows = select_pins(requirements, "win32")
    assert list(windows) == ["both", "keys", "old"]
    assert windows["both"] == "both==1.0 \\\n    --hash=sha256:00 \\\n    --hash=sha256:01\n"
    assert windows["keys"] == "keys==3.0.1 \\\n    --hash=sha256:03\n"


def test_every_pin_is_of_some_system() -> None:
    text = RUNTIME_REQUIREMENTS.read_text("utf-8")
    names = {name for system in ("linux", "win32", "darwin") for name in select_pins(text, system)}
    assert names == set(re.findall(r"^([\w.-]+)==", text, re.MULTILINE))
