"""Record replies of Debian's real game servers in `packets/quake3.jsonl`.

Each server is started on a loopback port with a home folder of its own, announces itself to nobody, answers `getinfo`
and `getstatus`, and is ended by its process id. The expectation of a reply to `getstatus` is what QStat reads from the
recorded bytes, sent to it by a socket of this program; that of a reply to `getinfo` are the settings that the server
was started with. Recording again gives other bytes (scores of bots), so no test compares the file with a new one.
"""

import argparse
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Entry = dict[str, Any]
HERE = Path(__file__).resolve().parent
GAMES_PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/games"
PACKAGES = {"openarena-server": "openarena-server", "nexuiz-server": "nexuiz-server", "quakestat": "qstat"}
OUT_OF_BAND = b"\xff\xff\xff\xff"
START_LIMIT_S = 60.0
GUARD_S = 1.1
"""DarkPlaces answers one query a second to one address."""
SETTLE_S = 8.0
"""Bots join one after the other."""
CHALLENGE = "RGS"


@dataclass(frozen=True)
class ServerSetup:
    """One server to record.

    `settings` are set before the map is loaded, `commands` run after it; `bots` is the number of players to wait for.
    """

    name: str
    map: str
    settings: Mapping[str, str] = field(default_factory=dict)
    commands: Sequence[str] = ()
    bots: int = 0
    challenge: bool = False
    kinds: tuple[str, ...] = ()


OPENARENA = (
    ServerSetup("empty", "oa_dm1", {"sv_maxclients": "8", "sv_hostname": "noname"}),
    ServerSetup(
        "colours",
        "oa_dm4",
        {"sv_maxclients": "16", "sv_hostname": "^1Own ^2OpenArena ^7#1", "bot_minplayers": "0"},
        (
            'addbot sarge 3 free 0 "^1Red ^7Bot"',
            'addbot grunt 2 free 0 "^4^5Ice^7man"',
            'addbot major 4 free 0 "a  b   c"',
            'addbot gargoyle 1 free 0 "[clan]|x^3y^7z!"',
        ),
        4,
        kinds=("colour-codes",),
    ),
    ServerSetup(
        "password",
        "oa_dm5",
        {
            "sv_maxclients": "12",
            "sv_hostname": "Friends only",
            "g_password": "secret",
            "g_needpass": "1",
            "sv_privateClients": "4",
            "sv_privatePassword": "hidden",
        },
        challenge=True,
    ),
    ServerSetup(
        "teams",
        "oa_dm6",
        {"sv_maxclients": "24", "sv_hostname": "Team night", "g_gametype": "3", "timelimit": "15"},
        [f"addbot {name} 2 {team}" for name, team in (("sarge", "red"), ("grunt", "blue"), ("major", "red"))],
        3,
    ),
    ServerSetup(
        "flags",
        "ctf_compromise",
        {"sv_maxclients": "32", "sv_hostname": "Capture the flag", "g_gametype": "4", "capturelimit": "8"},
        [f"addbot {name} 3" for name in ("sarge", "grunt", "major", "gargoyle", "kyonshi", "liz", "rai", "neko")],
        8,
    ),
    ServerSetup(
        "duel",
        "oa_dm3",
        {"sv_maxclients": "2", "sv_hostname": "  Duel   ", "g_gametype": "1"},
        ["addbot sarge 5", "addbot kyonshi 5"],
        2,
        challenge=True,
    ),
    ServerSetup(
        "latin1", "oa_dm2", {"sv_maxclients": "64", "sv_hostname": "Caf\xe9 der Spieler"}, kinds=("name-not-ascii",)
    ),
    ServerSetup(
        "long", "oa_dm7", {"sv_maxclients": "9", "sv_hostname": "long " * 12, "fraglimit": "50", "dmflags": "8"}
    ),
)
NEXUIZ = (
    ServerSetup("empty", "aggressor", {"maxplayers": "8", "hostname": "Nexuiz for all"}),
    ServerSetup(
        "bots",
        "bloodprison",
        {"maxplayers": "16", "hostname": "^2Own ^7Nexuiz", "bot_number": "4", "skill": "3", "bot_prefix": "^3[BOT]^7"},
        bots=4,
        kinds=("colour-codes",),
    ),
    ServerSetup(
        "flags",
        "reslimed",
        {"maxplayers": "24", "hostname": "Flags", "g_ctf": "1", "bot_number": "6", "bot_prefix": ""},
        bots=6,
    ),
    ServerSetup(
        "teams", "darkzone", {"maxplayers": "12", "hostname": "Team play", "g_tdm": "1", "bot_number": "2"}, bots=2
    ),
    ServerSetup("challenge", "soylent", {"maxplayers": "10", "hostname": "With a challenge"}, challenge=True),
)


def ask(port: int, request: bytes, limit_s: float = 5.0) -> bytes:
    """Return the reply to one request; it is repeated until one arrives."""
    end = time.monotonic() + limit_s
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(GUARD_S)
        while time.monotonic() < end:
            sock.sendto(OUT_OF_BAND + request, ("127.0.0.1", port))
            with contextlib.suppress(TimeoutError, ConnectionError):
                return sock.recv(65535)
    raise TimeoutError(f"port {port} does not answer {request!r}")


def free_port() -> int:
    """Return a free UDP port of 127.0.0.1."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def openarena_command(state: ServerSetup, port: int, home: Path) -> list[str]:
    """Return the command of an OpenArena server.

    Settings and bots are in a file that it executes.
    """
    folder = home / ".openarena" / "baseoa"
    folder.mkdir(parents=True)
    lines = [f'set {key} "{value}"' for key, value in state.settings.items()]
    (folder / "recorded.cfg").write_bytes(
        "\n".join([*lines, f"map {state.map}", *state.commands, ""]).encode("latin-1")
    )
    words = f"+set dedicated 1 +set net_ip 127.0.0.1 +set net_port {port}"
    words += f" +set sv_maxclients {state.settings['sv_maxclients']} +exec recorded.cfg"
    return ["openarena-server", *words.split()]


def nexuiz_command(state: ServerSetup, port: int, home: Path) -> list[str]:
    """Return the command of a Nexuiz server."""
    values = {"bot_join_empty": "1"} | {key: value for key, value in state.settings.items() if key != "maxplayers"}
    settings = [word for key, value in values.items() for word in (f"+{key}", value)]
    quiet = ["+net_address", "127.0.0.1", "+sv_public", "0", "-port", str(port)]
    return ["nexuiz-server", *quiet, "+maxplayers", state.settings["maxplayers"], *settings, "+map", state.map]


@contextlib.contextmanager
def running(command: Sequence[str], port: int, home: Path, bots: int) -> Iterator[None]:
    """Run a server until it has loaded its map and its bots have joined."""
    program = shutil.which(command[0], path=GAMES_PATH)
    assert program is not None
    environment = {**os.environ, "HOME": str(home), "PATH": GAMES_PATH}
    null = subprocess.DEVNULL
    with subprocess.Popen(
        [program, *command[1:]], cwd=home, env=environment, stdin=null, stdout=null, stderr=null
    ) as process:
        try:
            end = time.monotonic() + START_LIMIT_S
            while (
                b"\\mapname\\" not in (reply := ask(port, b"getstatus", START_LIMIT_S)) or reply.count(b"\n") < bots + 2
            ):
                if time.monotonic() > end:
                    raise TimeoutError(f"{command} has not loaded its map with {bots} bots: {reply!r}")
                time.sleep(GUARD_S)
            time.sleep(SETTLE_S if bots else GUARD_S)
            yield
        finally:
            process.kill()


def qstat_reading(kind: str, datagram: bytes) -> Entry:
    """Return what QStat reads from a reply to `getstatus`.

    A socket of ours sends it the reply.
    """
    program = shutil.which("quakestat", path=GAMES_PATH)
    assert program is not None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        sock.settimeout(30)

        def answer() -> None:
            with contextlib.suppress(TimeoutError):
                _, asker = sock.recvfrom(65535)
                sock.sendto(datagram, asker)

        thread = threading.Thread(target=answer)
        thread.start()
        address = f"127.0.0.1:{sock.getsockname()[1]}"
        command = [program, "-json", "-utf8", "-carets", "-R", "-P", f"-{kind}", address]
        done = subprocess.run(command, capture_output=True, check=True, timeout=60)
        thread.join()
    (found,) = json.loads(done.stdout)
    assert isinstance(found, dict)
    if found["status"] != "online":
        raise ValueError(f"QStat does not read {datagram!r}")
    return found


def server_name(state: ServerSetup) -> str:
    """Return the name of a server; its bytes are Latin-1."""
    return state.settings.get("sv_hostname") or state.settings["hostname"]


def status_expected(state: ServerSetup, reading: Entry, name_key: str) -> Entry:
    """Return the expectation that follows from what QStat reads.

    It does not show all bytes of a name.
    """
    info = {key: value for key, value in reading["rules"].items() if not key.startswith("_")}
    info |= {name_key: server_name(state), "mapname": reading["map"], "sv_maxclients": str(reading["maxplayers"])}
    players = [{key: row[key] for key in ("score", "ping", "name")} for row in reading["players"]]
    return {"info": info, "players": players, "clients": reading["numplayers"]}


def info_expected(state: ServerSetup, gamename: str) -> Entry:
    """Return the expectation that follows from a server's settings.

    Private slots are not among the stated ones.
    """
    settings = state.settings
    is_openarena = "sv_maxclients" in settings
    slots = int(settings["sv_maxclients" if is_openarena else "maxplayers"])
    return {
        "info": {
            "hostname": server_name(state),
            "mapname": state.map,
            "sv_maxclients": str(slots - int(settings.get("sv_privateClients", "0"))),
            "gamename": gamename,
            **({"gametype": settings.get("g_gametype", "0"), "protocol": "71"} if is_openarena else {}),
            **({"g_needpass": settings["g_needpass"]} if "g_needpass" in settings else {}),
            **({"challenge": CHALLENGE} if state.challenge else {}),
        }
    }


def recorded_states(game: str, states: Sequence[ServerSetup]) -> Iterator[Entry]:
    """Yield the replies of one game's servers."""
    darkplaces = game == "Nexuiz"
    command = nexuiz_command if darkplaces else openarena_command
    package = "nexuiz-server" if darkplaces else "openarena-server"
    source = f"Debian {package} {debian_version(package)}, record_packets.py"
    for state in states:
        server = f"own/{game.lower()}/{state.name}"
        sys.stderr.write(f"{server}\n")
        with tempfile.TemporaryDirectory() as folder:
            home, port = Path(folder), free_port()
            with running(command(state, port, home), port, home, state.bots):
                words = f" {CHALLENGE}" if state.challenge else ""
                time.sleep(GUARD_S)
                status = ask(port, f"getstatus{words}".encode())
                time.sleep(GUARD_S)
                info = ask(port, f"getinfo{words}".encode())
        reading = qstat_reading("nexuizs" if darkplaces else "openarenas", status)
        kinds = [
            *state.kinds,
            *(["challenge-echoed"] if state.challenge else []),
            *(["darkplaces"] if darkplaces else []),
            *([] if state.bots else ["no-players"]),
        ]
        common = {"server": server, "source": source, "licence": "MIT", "game": game}
        expected = status_expected(state, reading, "hostname" if darkplaces else "sv_hostname")
        yield {**common, "id": f"{server}/status", "query": "status", "kinds": kinds, "datagrams": [status.hex()],
               "expected": expected}  # fmt: skip
        kinds = [kind for kind in kinds if kind != "no-players"]
        gamename = "Nexuiz" if darkplaces else "Quake3Arena"
        yield {**common, "id": f"{server}/info", "query": "info", "kinds": kinds, "datagrams": [info.hex()],
               "expected": info_expected(state, gamename)}  # fmt: skip


def debian_version(package: str) -> str:
    """Return the installed version of a Debian package."""
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def main() -> int:
    """Record everything; return 1 if a program is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=HERE / "packets" / "quake3.jsonl")
    output = parser.parse_args().output
    missing = [package for name, package in PACKAGES.items() if shutil.which(name, path=GAMES_PATH) is None]
    if missing:
        sys.stderr.write(f"Missing Debian packages: apt-get install {' '.join(missing)}\n")
        return 1
    entries = [*recorded_states("OpenArena", OPENARENA), *recorded_states("Nexuiz", NEXUIZ)]
    output.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in entries), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
