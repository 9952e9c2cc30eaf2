"""My skill measured: the calculations alone, and the panel as the window has it. Times in seconds, waits in ms."""

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from bench_child import answer_parent
from PySide6.QtCore import QCoreApplication, QEventLoop
from rating_data import match, rounds

from browser_app.bridge.skill.imports import Imports
from browser_app.bridge.skill.panel import SkillPanel
from browser_app.games import load_games
from browser_app.paths import resources
from browser_app.player.habits import habits_of
from browser_app.player.identities import Identity, IdentityKind
from browser_app.player.own_history import own_history
from browser_app.rating.parameters import parameter_set
from browser_app.rating.systems import SYSTEMS, rating_system
from browser_app.rounds.formats import ROUND_FILE
from browser_app.rounds.writing import object_of
from browser_app.storage.database import Database, open_database
from browser_app.storage.identities import Identities, KeptIdentity
from browser_app.storage.kept import Kept
from browser_app.storage.rounds import RoundStore

GAME = "ns2"
LIMIT_S = 300.0


class Window:
    """An event loop that measures how late its turns come, and what the panel shows."""

    def __init__(self, panel: SkillPanel) -> None:
        self.panel = panel
        self.wait_ms = 0.0

    def until(self, holds: Callable[[], bool]) -> float:
        """Seconds until it holds; the loop goes round at least every 2 ms."""
        began = last = time.perf_counter()
        self.wait_ms = 0.0
        while not holds():
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
            time.sleep(0.001)
            now = time.perf_counter()
            self.wait_ms, last = max(self.wait_ms, 1000.0 * (now - last)), now
            if now - began > LIMIT_S:
                raise TimeoutError(f"nothing came within {LIMIT_S:g} s")
        return time.perf_counter() - began

    def is_settled(self) -> bool:
        """What is shown is of the present state."""
        return self.panel.shown is not None and not self.panel.shown.stale


@contextmanager
def a_window(database: Database, me: str) -> Iterator[Window]:
    """A panel over a database, for who is called so."""
    games, identities = load_games(resources() / "games"), [Identity(GAME, IdentityKind.NAME, me)]
    imports = Imports(RoundStore(database))
    panel = SkillPanel(database, Kept(database), games, imports, lambda: identities, dict, lambda _game: None)
    try:
        yield Window(panel)
    finally:
        panel.close()
        imports.close()


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """All of it, over a database that is made in `home` and left there with the user's name."""
    application = QCoreApplication([])
    count = request["rounds"]
    me = f"p{Counter(who for played in rounds(count) for who in played.who).most_common(1)[0][0]}"
    found: dict[str, Any] = {}
    with closing(open_database(Path(request["home"]) / "data")) as database:
        store = RoundStore(database)
        Identities(database).add(KeptIdentity(GAME, IdentityKind.NAME, me))
        objects = (object_of(replace(match(played), game=GAME)) for played in rounds(count))
        store.add("bench", ROUND_FILE, enumerate(objects, 1))
        found |= _calculated(store, me, request["systems"])
        gc.collect()
        gc.freeze()  # as the program does before its window opens; that has no rounds in it
        with a_window(database, me) as window:
            window.panel.open()
            window.until(window.is_settled)
            found["rate_wait_ms"] = window.wait_ms
            window.panel.set_parameters(parameter_set(SYSTEMS[GAME].declared, given={"c": 2.0}))
            found["again_s"] = window.until(window.is_settled)
            database.flush()
        with a_window(database, me) as window:
            window.panel.open()
            found["open_s"] = window.until(window.is_settled)
            found["open_wait_ms"] = window.wait_ms
    application.quit()
    return found


def _calculated(store: RoundStore, me: str, systems: Sequence[str]) -> dict[str, Any]:
    """The calculations alone, which the window has done in a process of their own: nothing of them is left here."""
    record = store.record(GAME).record
    rated = {
        system: min(_taken(partial(own_history, record, rating_system(system), me)) for _ in range(2))
        for system in systems
    }
    history = own_history(record, rating_system(GAME), me)
    habits = min(_taken(lambda: habits_of(history, record)) for _ in range(3))
    return {"rated_s": rated, "mine": len(history), "habits_s": habits}


def _taken(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    answer_parent(measure)
