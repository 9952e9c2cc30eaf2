"""My skill measured: the calculations alone, and the panel as the window has it.

Times in seconds, waits in ms.
"""

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
from round_serializer import object_from_round

from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.player.habits import find_habits
from browser_app.player.own_history import compute_own_history
from browser_app.player.player_identities import Identity, IdentityKind
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system
from browser_app.rating_worker.rating_jobs import RateJob
from browser_app.rounds.round_formats import ROUND_FILE_FORMAT
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.own_skill.skill_sample_store import IdentityStore, StoredIdentity
from browser_app.storage.ui_state import UiState

GAME = "ns2"
LIMIT_S = 300.0


class Window:
    """An event loop that measures how late its turns come, and what the panel shows."""

    def __init__(self, panel: SkillModel) -> None:
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
        """Whether the page shows the present state."""
        return bool(self.panel.state and self.panel._loaded) and not self.panel._workers.is_busy(RateJob.kind)


@contextmanager
def a_window(database: Database, me: str) -> Iterator[Window]:
    """A panel over a database, for who is called so."""
    games, identities = load_games(resource_folder() / "games"), [Identity(GAME, IdentityKind.NAME, me)]
    imports = RoundImporter(RoundStore(database))
    panel = SkillModel(database, UiState(database), games, imports, lambda: identities, dict, lambda _game: None)
    try:
        yield Window(panel)
    finally:
        panel.close()
        imports.close()


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Measure everything over a new database in `home`.

    The database stays there, with the user's name in it.
    """
    application = QCoreApplication([])
    count = request["rounds"]
    me = f"p{Counter(who for played in rounds(count) for who in played.who).most_common(1)[0][0]}"
    found: dict[str, Any] = {}
    with closing(open_database(Path(request["home"]) / "data")) as database:
        store = RoundStore(database)
        IdentityStore(database).add(StoredIdentity(GAME, IdentityKind.NAME, me))
        objects = (object_from_round(replace(match(played), game=GAME)) for played in rounds(count))
        store.add_file("bench", ROUND_FILE_FORMAT, enumerate(objects, 1))
        found |= _measure_calculation(store, me, request["systems"])
        gc.collect()
        gc.freeze()  # as the program does before its window opens; that has no rounds in it
        with a_window(database, me) as window:
            window.panel.open()
            window.until(window.is_settled)
            found["rate_wait_ms"] = window.wait_ms
            window.panel.set_parameters(
                resolve_parameters(RATING_SYSTEMS[GAME].declared_parameters, explicit={"c": 2.0})
            )
            found["again_s"] = window.until(window.is_settled)
            database.flush()
        with a_window(database, me) as window:
            window.panel.open()
            found["open_s"] = window.until(window.is_settled)
            found["open_wait_ms"] = window.wait_ms
    application.quit()
    return found


def _measure_calculation(store: RoundStore, me: str, systems: Sequence[str]) -> dict[str, Any]:
    """Measure the calculations alone.

    The window runs them in a process of their own.
    """
    record = store.load_rounds(GAME).record
    rated = {
        system: min(_taken(partial(compute_own_history, record, create_rating_system(system), me)) for _ in range(2))
        for system in systems
    }
    history = compute_own_history(record, create_rating_system(GAME), me)
    habits = min(_taken(lambda: find_habits(history, record)) for _ in range(3))
    return {"rated_s": rated, "mine": len(history), "habits_s": habits}


def _taken(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    answer_parent(measure)
