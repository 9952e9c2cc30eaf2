"""My Skill over 100,000 rounds.

Opened from stored results, rated anew beside the window, habits, frames of each page.

One seeded record of pick-up rounds, six against six; the user is who plays most. "Opened" is from the call to what the
window shows, "waits" how long the window's thread waited for its turn meanwhile, at the most. Frames are of the whole
view, painted every 16 ms although nobody has more painted than what has changed, while the rounds are rated with other
parameters: until half a second after the result is shown.
"""

import tempfile
from collections.abc import Mapping
from typing import Any

from bench_child import ask_child
from bench_report import Budget, Report, Table

LIMIT_S = 600.0
ROUNDS = 100_000
FRAME_MS = 1000.0 / 55.0
COLUMNS = ("frames/s", "gap p50 ms", "p95", "p99", "max", "p99 without waits for a processor", "max")
_FIGURES = ("fps", "p50", "p95", "p99", "max", "own_p99", "own_max")


def run(quick: bool) -> Report:
    """A tenth of the rounds when quick."""
    rounds = ROUNDS // 10 if quick else ROUNDS
    with tempfile.TemporaryDirectory() as home:
        request = {"rounds": rounds, "systems": ["ns2", "trueskill2", "trueskill"], "home": home}
        report = _report_calculation(ask_child("skill_child.py", request, LIMIT_S), rounds)
        frames = _frames(ask_child("skill_frames_child.py", {"home": home}, LIMIT_S))
    return Report([*report.tables, *frames.tables], [*report.budgets, *frames.budgets])


def _frames(found: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Report:
    table = Table("Frames of My skill, 1280 × 800", ("page", "meanwhile", *COLUMNS))
    for page, states in found.items():
        for state, words in (("rest", "nothing"), ("work", "all rounds rated anew")):
            table.rows.append((page, words, *(states[state][key] for key in _FIGURES)))
    work = [states["work"] for states in found.values()]
    budgets = [
        Budget(
            "frames while ratings are calculated, the slowest page",
            min(each["fps"] for each in work),
            55,
            "/s",
            is_minimum=True,
        ),
        Budget("frame gap p99 meanwhile, the slowest page", max(each["p99"] for each in work), 25, "ms"),
    ]
    return Report([table], budgets)


def _report_calculation(found: Mapping[str, Any], rounds: int) -> Report:
    rated = Table(f"My skill: {rounds:,} rounds rated anew, {found['mine']:,} of them mine", ("system", "rounds/s"))
    for name, taken in found["rated_s"].items():
        rated.rows.append((name, rounds / taken))
    window = Table("In the window", ("work", "s"))
    window.rows += [
        ("opened", found["open_s"]),
        ("rated after a change", found["again_s"]),
        ("habits", found["habits_s"]),
    ]
    waits = Table("The window's thread waits, ms", ("while", "at the most"))
    waits.rows += [("opened", found["open_wait_ms"]), ("rated", found["rate_wait_ms"])]
    budgets = [
        Budget(f"rated anew by {name}", rounds / taken, 20_000, "/s", is_minimum=True)
        for name, taken in found["rated_s"].items()
    ]
    budgets += [
        Budget("opened from what is kept", found["open_s"], 0.3, "s"),
        Budget("habits", found["habits_s"], 0.15, "s"),
        Budget("a frame while ratings are calculated", found["rate_wait_ms"], FRAME_MS, "ms"),
    ]
    return Report([rated, window, waits], budgets)
