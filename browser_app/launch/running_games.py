"""Games that run on this computer, found by their processes (Linux only).

The server is known from the command line: from the arguments with which the game's profile would start it, or from
`+connect ADDRESS`, which all descendants of Quake and Valve's engines take. Otherwise it follows only from connections.
"""

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from browser_app.games.game_profile import GameProfile
from browser_app.launch.process_sockets import Connection, find_connections
from browser_app.protocols.address import Address, parse_address

PROC = Path("/proc")
_FLATPAK_INFO = Path("/.flatpak-info")
MAX_COMMAND_LINE_BYTES = 1 << 16
_INTERPRETERS = frozenset({"sh", "bash", "dash", "wine", "wine64"})
"""Programs whose first argument is the program that they run."""
_CONNECT = ("+connect", "{connect}")
_STEAM_LAUNCH, _STEAM_APP = "SteamLaunch", "AppId="
"""Arguments of the process under which Steam starts a game."""
_PLACEHOLDERS = {"{connect}": r"(?P<connect>\S+)", "{host}": r"(?P<host>\S+)", "{port}": r"(?P<port>\d{1,5})"}


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A process of a game."""

    pid: int
    started: int
    """Start in clock ticks since boot; no other process has the same pid and start."""
    game: GameProfile | None
    """None if only the address was recognised."""
    server: Address | None
    """The address in its command line."""
    connections: frozenset[Connection] = frozenset()
    """Collected only if the command line has no address."""


class FoundProcess:
    """A process that another program started, with the `poll` of `Popen`."""

    def __init__(self, game: FoundGame, proc: Path = PROC) -> None:
        self._folder, self._started = proc / str(game.pid), game.started

    def poll(self) -> int | None:
        """Return 0 once it has ended, because its exit status is unknown."""
        return None if _read_start_time(self._folder) == self._started else 0


def can_find_games() -> bool:
    """Return whether this system lists running processes; a Flatpak sees only its own."""
    return (PROC / "self" / "cmdline").exists() and not _FLATPAK_INFO.exists()


def is_recognisable(game: GameProfile) -> bool:
    """Return whether a process can be recognised as this game.

    Games that are known only by the scheme of their links cannot.
    """
    return bool(game.launch.commands or game.launch.steam_appid)


def find_running_games(games: Iterable[GameProfile], proc: Path = PROC) -> list[FoundGame]:
    """Return the games that this user runs, each once; takes some milliseconds."""
    known = _KnownGames(list(games))
    found = list(filter(None, (_identify_process(folder, known) for folder in _iterate_own_processes(proc))))
    found.sort(key=lambda each: each.started)
    return [_add_connections(each, proc) for each in _drop_repeats(found)]


class _KnownGames:
    """Games by the name of their program and by Steam app id."""

    def __init__(self, games: Sequence[GameProfile]) -> None:
        self.by_program: dict[str, GameProfile] = {}
        self.by_app: dict[str, GameProfile] = {}
        for game in games:
            for command in game.launch.commands:
                self.by_program.setdefault(_program_name(command), game)
            for app in {game.launch.steam_appid, *game.appids} - {0}:
                self.by_app.setdefault(str(app), game)

    def find(self, arguments: Sequence[str]) -> GameProfile | None:
        """Return the game that a command line starts."""
        name = _program_name(arguments[0])
        if name in _INTERPRETERS and len(arguments) > 1:
            name = _program_name(arguments[1])
        if _STEAM_LAUNCH in arguments[:3]:
            apps = (each.removeprefix(_STEAM_APP) for each in arguments if each.startswith(_STEAM_APP))
            return self.by_app.get(next(apps, ""))
        return self.by_program.get(name)


def _program_name(path: str) -> str:
    """Return a program's name without folder and ending, such as `.x86_64` or `.exe`."""
    return re.split(r"[/\\]", path)[-1].partition(".")[0].casefold()


def _iterate_own_processes(proc: Path) -> Iterator[Path]:
    try:
        folders = [folder for folder in proc.iterdir() if folder.name.isdigit() and int(folder.name) != os.getpid()]
    except OSError:
        return
    for folder in folders:
        try:
            if folder.stat().st_uid == os.getuid():
                yield folder
        except OSError:  # it has ended
            continue


def _identify_process(folder: Path, known: _KnownGames) -> FoundGame | None:
    arguments, started = _read_command_line(folder), _read_start_time(folder)
    if not arguments or started is None:
        return None
    game = known.find(arguments)
    server = _find_server(arguments, game)
    return FoundGame(int(folder.name), started, game, server) if game is not None or server is not None else None


def _read_command_line(folder: Path) -> list[str]:
    try:
        with (folder / "cmdline").open("rb") as file:
            line = file.read(MAX_COMMAND_LINE_BYTES)
    except OSError:
        return []
    return [part.decode("utf-8", "replace") for part in line.split(b"\0")[:-1]]


def _read_start_time(folder: Path) -> int | None:
    """Return when a process was started, in clock ticks since boot.

    None if there is no such process or it is a zombie. See proc_pid_stat(5): the name, in brackets, may contain
    anything.
    """
    try:
        values = (folder / "stat").read_bytes().rpartition(b")")[2].split()
        return None if values[0] in (b"Z", b"X") else int(values[19])
    except (OSError, ValueError, IndexError):
        return None


def _find_server(arguments: Sequence[str], game: GameProfile | None) -> Address | None:
    templates: list[Sequence[str]] = [_CONNECT]
    if game is not None:
        launch = game.launch
        templates = [launch.arguments, shlex.split(launch.steam_arguments), [launch.url], _CONNECT]
    for template in filter(any, templates):
        patterns = [_compile_token(token) for token in template]
        for first in range(1, len(arguments) - len(patterns) + 1):
            values = _match_tokens(patterns, arguments[first : first + len(patterns)])
            if values is not None and (server := _parse_values(values, game)) is not None:
                return server
    return None


def _compile_token(token: str) -> re.Pattern[str]:
    parts = re.split(r"(\{[a-z]+\})", token)
    return re.compile("".join(_PLACEHOLDERS.get(part, re.escape(part)) for part in parts))


def _match_tokens(patterns: Sequence[re.Pattern[str]], arguments: Sequence[str]) -> Mapping[str, str] | None:
    values: dict[str, str] = {}
    for pattern, argument in zip(patterns, arguments, strict=True):
        match = pattern.fullmatch(argument)
        if match is None:
            return None
        values |= match.groupdict()
    return values


def _parse_values(values: Mapping[str, str], game: GameProfile | None) -> Address | None:
    text = values.get("connect") or f"{values.get('host', '')}:{values.get('port', '')}"
    try:
        return parse_address(text, game.default_port if game is not None else None)
    except ValueError:
        return None


def _drop_repeats(found: Sequence[FoundGame]) -> list[FoundGame]:
    """Return each game once: the process that started first, which ends last.

    Launchers, wrappers and the game itself have the same arguments.
    """
    kept: dict[tuple[str, Address | None], FoundGame] = {}
    for each in found:
        kept.setdefault((each.game.id if each.game is not None else "", each.server), each)
    named = {server for game, server in kept if game}
    with_server = {game for game, server in kept if server is not None}
    return [
        each
        for (game, server), each in kept.items()
        if (game or server not in named) and (server is not None or game not in with_server)
    ]


def _add_connections(game: FoundGame, proc: Path) -> FoundGame:
    if game.server is not None:
        return game
    return FoundGame(game.pid, game.started, game.game, None, find_connections(proc / str(game.pid)))
