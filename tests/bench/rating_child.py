"""Child: one measurement of our rating systems, in seconds or MB.

The request names it.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench_child import answer_parent
from rating_data import free_for_all, free_for_all_match, line, match, rounds

from browser_app.rating.forward_pass import ForwardPass
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.trueskill2_smoothing import BatchSmoother


def measure(request: dict[str, Any]) -> dict[str, float]:
    """Do what `request["what"]` names."""
    return _MEASUREMENTS[request["what"]](request)


def _record(request: dict[str, Any]) -> RoundRecord:
    if people := request.get("free_for_all"):
        return build_record(map(free_for_all_match, free_for_all(people, request["rounds"])))
    return build_record(map(match, rounds(request["rounds"])))


def _system(request: dict[str, Any]) -> RatingSystem:
    system = RATING_SYSTEMS[request["system"]]
    return system(resolve_parameters(system.declared_parameters, explicit=request.get("params")))


def _best_s(work: Callable[[], object], repeats: int, clock: Callable[[], float] = time.process_time) -> float:
    """Return the least processor time, s, or that of another clock.

    Other programs hardly change processor time.
    """
    taken = []
    for _ in range(repeats):
        began = clock()
        work()
        taken.append(clock() - began)
    return min(taken)


def _forward(request: dict[str, Any]) -> dict[str, float]:
    """Rate the record in memory.

    Preparing the rounds is included, reading a file is not.
    """
    record, system = _record(request), _system(request)
    skipped = list[int]()

    def work() -> None:
        forward = ForwardPass(system.new_run(record))
        forward.advance_to(len(record))
        skipped[:] = [len(forward.skipped)]

    seconds = _best_s(work, request["repeats"])
    if skipped != [0]:
        raise RuntimeError(f"{system.name} skipped {skipped[0]} rounds")
    return {"s": seconds}


def _full_history(request: dict[str, Any]) -> dict[str, float]:
    record, system = _record(request), _system(request)
    return {"s": _best_s(lambda: system.solve(record), request["repeats"])}


def _sweep(request: dict[str, Any]) -> dict[str, float]:
    """One pass forward and backward over all matches."""
    smoothing = BatchSmoother(ModelledRecord(_record(request), _system(request).parameters))
    return {"s": _best_s(smoothing.sweep, request["repeats"])}


def _command_line(request: dict[str, Any]) -> dict[str, float]:
    """Run `rate` on a file, from process start to exit, and read its peak memory.

    The seconds are those on the wall; `processor_s` is what all its processes took of the processors, on average.
    """
    file = Path(request["folder"]) / "rounds.jsonl"
    with file.open("w", encoding="ascii") as written:
        written.writelines(map(line, rounds(request["rounds"])))
    words = [sys.executable, "-m", "browser_app", "rate", str(file), f"--system={request['system']}"]

    def work() -> None:
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True)

    seconds = _best_s(work, request["repeats"], time.perf_counter)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "s": seconds,
        "processor_s": (used.ru_utime + used.ru_stime) / request["repeats"],
        "peak_mb": used.ru_maxrss * 1024 / 1e6,
    }


_MEASUREMENTS: dict[str, Callable[[dict[str, Any]], dict[str, float]]] = {
    "forward": _forward,
    "full history": _full_history,
    "sweep": _sweep,
    "command line": _command_line,
}

if __name__ == "__main__":
    answer_parent(measure)
