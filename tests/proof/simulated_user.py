"""Child: the program with its window, in constant use until it is killed.

Usage: `simulated_user.py RUN ARGUMENTS…`, with `READY_ROOM_HOME` set. Prints `saved KIND NAME` for each written change.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer

from browser_app.app import run_program
from browser_app.launch.launch_arguments import LaunchError
from browser_app.paths import user_paths
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import OWN_SKILL
from browser_app.storage.settings_store import Settings
from browser_app.storage.user_lists.friend_store import FRIEND_GROUPS, Friend, FriendKind
from browser_app.storage.user_lists.server_list_store import BlockKind, Favourite
from browser_app.ui.skill.skill_pages import SKILL_PAGES
from browser_app.ui.window_state import WindowState
from browser_app.window_app import WindowProgram

if TYPE_CHECKING:
    from concurrent.futures import Future

ACT_MS = 15
GAME = "openarena"
ROUNDS_PER_FILE = 20


class SimulatedUser:
    """Uses a window; each change has a name of its own, so that its loss is noticed."""

    def __init__(self, program: WindowProgram, run: int) -> None:
        self._program, self._run = program, run
        self._random, self._numbers = Random(run), count()
        self._changes: list[Callable[[str], object]] = [
            self._add_note,
            self._add_favourite,
            self._block,
            self._befriend,
            self._undo_removal,
            self._save_filter,
            self._import_rounds,
            self._join,
            self._set_skill,
            self._toggle_favourite,
        ]
        self._views = self._view_changes()
        self.timer = QTimer(interval=ACT_MS)
        self.timer.timeout.connect(self.act)

    def act(self) -> None:
        """Make one change and, now and then, look at something else."""
        number = next(self._numbers)
        self._random.choice(self._changes)(f"{self._run}-{number}")
        if number % 4 == 0:
            next(self._views)()

    def _view_changes(self) -> Iterator[Callable[[], object]]:
        window = self._program.window
        while True:
            yield lambda: window.filter_field.set_text("players>=1")
            for spec in SKILL_PAGES:
                yield partial(window.show_skill, spec.key)
            yield lambda: window.view_switch.setCurrentIndex(0)
            yield lambda: window.filter_field.set_text("")
            yield lambda: window.servers_view.server_order.set_sort_column(self._random.choice(["ping", "name"]))

    def _address(self) -> Address:
        return Address(f"203.0.113.{self._random.randrange(256)}", self._random.randrange(1024, 65536))

    def _add_note(self, name: str) -> None:
        _report("note", name, self._program.storage.notes.set(self._address(), name))

    def _add_favourite(self, name: str) -> None:
        _report("favourite", name, self._program.storage.favourites.add(Favourite(self._address(), name, 1.0)))

    def _block(self, name: str) -> None:
        _report("block", name, self._program.storage.blocked.add(BlockKind.NAME, name, 1.0))

    def _befriend(self, name: str) -> None:
        _report(
            "friend",
            name,
            self._program.storage.friends.add_all([Friend(FriendKind.NAME, name, FRIEND_GROUPS[0], 1.0)]),
        )

    def _undo_removal(self, name: str) -> None:
        """Remove a friend and undo that, as the buttons do."""
        window = self._program.window
        controller = window.user_lists_controller.friends_controller
        controller.save_friend(Friend(FriendKind.NAME, name, FRIEND_GROUPS[0], 1.0))
        controller.remove_friend(FriendKind.NAME, name)
        window.undo_controller.undo()
        self._report_after_writes("friend", name)

    def _save_filter(self, name: str) -> None:
        self._program.storage.saved_filters.save(name, "players>=1")
        self._report_after_writes("filter", name)

    def _import_rounds(self, name: str) -> None:
        path = user_paths().data / f"{name}.jsonl"
        path.write_text("".join(json.dumps(_round(name, n)) + "\n" for n in range(ROUNDS_PER_FILE)))
        imported = lambda results: None if results[0].problem else _say("rounds", name)  # noqa: E731
        self._program.backend.skill_backend.importer.import_paths([path], imported)

    def _join(self, name: str) -> None:
        """Start the game of a server that has answered."""
        catalogue, launcher = self._program.backend.catalogue, self._program.backend.server_launcher
        joinable = [row for row in range(len(catalogue)) if catalogue.server_info(row) is not None]
        if not joinable:
            return
        with suppress(LaunchError):  # a password is required, or the game's program cannot be read just now
            launcher.launch(self._random.choice(joinable), name, None)
            self._report_after_writes("visit", name)

    def _set_skill(self, name: str) -> None:
        """Type a skill, which only grows, and print it when it is in the file."""
        skill = float(self._run * 2_000 + int(name.partition("-")[2]))
        self._program.settings.set(OWN_SKILL, {GAME: skill})
        self._program.backend.background.run(
            lambda: Settings(user_paths().settings).get(OWN_SKILL).get(GAME, 0.0), lambda it: _say("skill", f"{it:g}")
        )

    def _report_after_writes(self, kind: str, name: str) -> None:
        """Print the change as soon as all writes so far are committed."""
        _report(kind, name, self._program.storage.database.execute("SELECT 1"))

    def _toggle_favourite(self, _name: str) -> None:
        catalogue = self._program.backend.catalogue
        if len(catalogue):
            self._program.backend.user_lists.toggle_favourite(self._random.randrange(len(catalogue)))


def _round(name: str, number: int) -> dict[str, Any]:
    """Return a round at a time of its own.

    Two of one time and the same players are one round.
    """
    sides = (("ann", "red"), ("bob", "blue"))
    players = [{"id": player, "stays": [{"team": team, "enter": 0, "leave": 20}]} for player, team in sides]
    run, _, change = name.partition("-")
    started = datetime(2015, 1, 1, tzinfo=UTC) + timedelta(days=10 * int(run), seconds=1000 * int(change) + 30 * number)
    values = {"started": f"{started:%Y-%m-%dT%H:%M:%SZ}", "duration": 20, "teams": ["red", "blue"], "winner": "red"}
    return {"id": f"{name}-{number}", "game": GAME, "players": players, **values}


def _report(kind: str, name: str, write: "Future[None]") -> None:
    """Print the change as soon as the database's thread has committed it."""
    write.add_done_callback(lambda done: None if done.exception() else _say(kind, name))


def _say(kind: str, name: str) -> None:
    os.write(1, f"saved {kind} {name}\n".encode())


def main() -> int:
    """Run the program as the command line says, with somebody in front of it."""
    show = WindowProgram.show
    actors: list[SimulatedUser] = []

    def show_and_act(program: WindowProgram, state: WindowState | None = None) -> None:
        show(program, state)
        actors.append(SimulatedUser(program, int(sys.argv[1])))
        actors[-1].timer.start()
        os.write(1, b"shown\n")

    setattr(WindowProgram, "show", show_and_act)  # noqa: B010 (mypy takes the assignment for a mistake)
    Path(user_paths().data).mkdir(parents=True, exist_ok=True)
    return run_program(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
