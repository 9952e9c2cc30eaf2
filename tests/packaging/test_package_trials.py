"""The package trials notice what is wrong.

A missing library, leftovers, a program that behaves differently.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest
from devtools.errors import SetupError
from devtools.trials.deb import lacking_libraries
from devtools.trials.display import left_in
from devtools.trials.trial import SERVERS, Installed, Trial, use

LDD = """\
/usr/lib/it/a.so:
\tlinux-vdso.so.1 (0x00007ffd)
\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f00)
/usr/lib/it/b.so:
\tlibwayland-cursor.so.0 => not found
\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f00)
\tlibwayland-cursor.so.0 => not found
/usr/lib/it/libqgtk3.so:
\tlibgtk-3.so.0 => not found
"""


def test_missing_library_is_named() -> None:
    assert lacking_libraries(LDD) == {"b.so": ["libwayland-cursor.so.0"]}


def test_only_user_data_may_remain(tmp_path: Path) -> None:
    for name in (
        ".config/ready-room/settings.toml",
        ".local/share/ready-room/it.sqlite",
        ".cache/qt/it",
        "bin/ready-room",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert left_in(tmp_path) == ["bin/ready-room"]


class Program:
    """One that does what it should, but for what is changed."""

    def __init__(self, pictures: Path, version: str = "1.0", servers: int = SERVERS) -> None:
        self.pictures, self.version, self.servers = pictures, version, servers
        self.commands: list[list[str]] = []

    def start(self, command: Sequence[str | Path]) -> str:
        words = list(map(str, command))
        self.commands.append(words)
        if "screenshot" in words:
            Path(words[2]).write_bytes(b"PNG")
        return {"--version": f"ready-room {self.version}\n", "list": "a server\n" * self.servers}.get(words[1], "")


def tried(program: Program, out: Path) -> None:
    installed = Installed(program.start, "ready-room", str(program.pictures), program.pictures)
    use(Trial("wheel", [], out, out, "1.0"), installed)


def test_working_program_leaves_pictures(tmp_path: Path) -> None:
    pictures, out = tmp_path / "pictures", tmp_path / "out"
    pictures.mkdir()
    out.mkdir()
    program = Program(pictures)
    tried(program, out)
    assert {path.name for path in out.iterdir()} == {"wheel-servers.png", "wheel-skill.png"}
    assert program.commands[-1][-1] == "ready-room"


@pytest.mark.parametrize(
    ("change", "told"), [({"version": "0.9"}, "not 1.0"), ({"servers": 1}, "1 lines of 20 servers")]
)
def test_other_output_fails(tmp_path: Path, change: dict[str, object], told: str) -> None:
    with pytest.raises(SetupError, match=told):
        tried(Program(tmp_path, **change), tmp_path)  # type: ignore[arg-type] # one of its two
