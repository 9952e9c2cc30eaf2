"""Windows that are killed in use, and their files afterwards.

As a program: kills as many as standard input asks for, and prints what was lost.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from browser_app.demo.demo_network import DemoNetwork
from browser_app.paths import SETTINGS_FILE_NAME, UserPaths
from browser_app.storage.database import DATABASE_FILE_NAME
from browser_app.storage.setting_declarations import OWN_SKILL
from browser_app.storage.settings_store import Settings
from browser_app.storage.user_storage import UserStorage

CHILD = Path(__file__).with_name("simulated_user.py")
GAMES = ("openarena", "quake3")
GAME = GAMES[0]
_QUERIES = {
    "note": "SELECT text FROM notes",
    "favourite": "SELECT name FROM favourites",
    "block": "SELECT value FROM blocked",
    "friend": "SELECT value FROM friends",
    "filter": "SELECT name FROM saved_filters",
    "visit": "SELECT play_now_reason FROM visits",
    "rounds": "SELECT DISTINCT substr(id, 1, length(id) - 2) FROM rounds WHERE id LIKE '%-0'",
}


@dataclass
class KilledWindow:
    """One home folder, the changes reported as saved, and the faults so far."""

    home: Path
    arguments: Sequence[str]
    path: str
    """The search path for programs, where the games are."""
    saved: Counter[tuple[str, str]] = field(default_factory=Counter)
    skill: float = 0.0
    runs: int = 0
    statuses: list[int] = field(default_factory=list)
    """How each run ended."""
    faults: list[str] = field(default_factory=list)

    def run_and_kill(self, changes: int, delay_s: float = 0.0) -> None:
        """Start the window, kill it and check its files.

        `delay_s` after this many saved changes.
        """
        self.runs += 1
        command = [sys.executable, str(CHILD), str(self.runs), *self.arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self._environment())
        assert process.stdout is not None
        assert process.stderr is not None
        lines: list[bytes] = []
        while len(lines) < changes:
            if line := process.stdout.readline():
                lines.append(line)
                continue
            self.faults.append(f"run {self.runs} ended by itself: {process.stderr.read().decode()[-400:]}")
            break
        killer = threading.Timer(delay_s, process.send_signal, (signal.SIGKILL,))
        killer.start()
        rest, said = process.communicate()
        killer.join()
        self.statuses.append(process.returncode)
        self._note_saved([*lines, *rest.splitlines(keepends=True)])
        self.faults += [f"run {self.runs}: {line}" for line in said.decode().splitlines() if line]
        self.check()

    def check(self) -> None:
        """Open everything as the next start would.

        Compare it with what was reported as saved.
        """
        paths = UserPaths(self.home / "settings", self.home / "data", self.home / "cache")
        with UserStorage(paths) as storage:
            self.faults += [f"after run {self.runs}: {problem}" for problem in storage.problems]
        with closing(sqlite3.connect(paths.data / DATABASE_FILE_NAME)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
            if verdict != "ok":
                self.faults.append(f"after run {self.runs}: {verdict}")
            found = {(kind, name) for kind, query in _QUERIES.items() for (name,) in connection.execute(query)}
        self.faults += [
            f"after run {self.runs}: {kind} {name} lost" for kind, name in self.saved if (kind, name) not in found
        ]
        skill = Settings(paths.settings).get(OWN_SKILL).get(GAME, 0.0)
        if skill < self.skill:
            self.faults.append(f"after run {self.runs}: skill {skill:g} is older than {self.skill:g}")
        for left in list(paths.settings.glob(f".{SETTINGS_FILE_NAME}.*"))[1:]:
            self.faults.append(f"after run {self.runs}: {left.name} left behind")

    def _note_saved(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            match line.decode().split(" ") if line.endswith(b"\n") else ():
                case ["saved", "skill", value]:
                    self.skill = max(self.skill, float(value))
                case ["saved", kind, name]:
                    self.saved[kind, name.rstrip("\n")] += 1

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "READY_ROOM_HOME": str(self.home),
            "QT_QPA_PLATFORM": "offscreen",
            "PATH": self.path,
        }


def random_moment(number: int) -> tuple[int, float]:
    """Return after how many saved changes to kill, and the delay after them (s).

    Equal numbers give equal moments.
    """
    draw = random.Random(number)
    changes = draw.choice((0, 1, 3, 10, 30, 100))
    return changes, draw.random() * (0.2 if changes else 1.5)


def kill_windows(folder: Path, moments: Iterable[tuple[int, float]]) -> KilledWindow:
    """Kill a window on a small network at each of these moments, in one home folder."""
    programs = folder / "programs"
    programs.mkdir()
    for name in GAMES:
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    with DemoNetwork(servers=24, latency_ms=(2.0, 12.0), simulate_players=False, games=GAMES) as network:
        servers = [f"--server={url}" for url in network.sources.servers]
        killed = KilledWindow(folder / "home", servers, f"{programs}{os.pathsep}{os.environ['PATH']}")
        for moment in moments:
            killed.run_and_kill(*moment)
    return killed


def main() -> None:
    """Do what standard input asks for."""
    times = json.load(sys.stdin)["times"]
    with tempfile.TemporaryDirectory() as folder:
        killed = kill_windows(Path(folder), map(random_moment, range(times)))
    json.dump({"times": times, "saved": len(killed.saved), "faults": killed.faults}, sys.stdout)


if __name__ == "__main__":
    main()
