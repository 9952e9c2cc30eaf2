"""The player's own record stored and read back.

Times in seconds, memory and size in MB.
"""

import resource
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench_child import answer_parent
from rating_data import match, rounds
from round_serializer import encode_round_line, object_from_round

from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import RoundFileSource
from browser_app.storage.database import open_database
from browser_app.storage.own_skill.round_store import RoundStore

GAME = "bench"


def measure(request: dict[str, Any]) -> dict[str, float]:
    """Measure everything with a file of the rounds requested."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "rounds.jsonl"
        with file.open("wb") as written:
            for played in rounds(request["rounds"]):
                written.write(encode_round_line(object_from_round(replace(match(played), game=GAME))))
        with closing(open_database(folder / "data")) as database:
            store = RoundStore(database)
            found = {"add_s": _best_s(lambda: _add(store, file), 1), "peak_mb": _peak_mb()}
            found["again_s"] = _best_s(lambda: _add(store, file), 1)
            found["read_s"] = _best_s(lambda: store.load_rounds(GAME), request["repeats"])
            found["stamp_s"] = _best_s(lambda: store.read_state_stamp(GAME), request["repeats"])
        found["size_mb"] = sum(each.stat().st_size for each in (folder / "data").iterdir()) / 1e6
        return found


def _add(store: RoundStore, file: Path) -> None:
    store.add_file(str(file), "rounds", stream_objects(RoundFileSource(str(file))))


def _best_s(work: Callable[[], object], repeats: int) -> float:
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return min(taken)


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


if __name__ == "__main__":
    answer_parent(measure)
