"""My skill over 100,000 rounds: opened from what is kept, rated anew beside the window, habits.

One seeded record of pick-up rounds, six against six; the user is who plays most. "Opened" is from the call to what the
window shows, "waits" how long the window's thread waited for its turn meanwhile, at the most.
"""

from bench_child import ask_child
from bench_report import Budget, Report, Table

LIMIT_S = 600.0
ROUNDS = 100_000
FRAME_MS = 1000.0 / 55.0


def run(quick: bool) -> Report:
    """A tenth of the rounds when quick."""
    rounds = ROUNDS // 10 if quick else ROUNDS
    found = ask_child("skill_child.py", {"rounds": rounds, "systems": ["ns2", "trueskill2", "trueskill"]}, LIMIT_S)
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
        Budget(f"rated anew by {name}", rounds / taken, 20_000, "/s", least=True)
        for name, taken in found["rated_s"].items()
    ]
    budgets += [
        Budget("opened from what is kept", found["open_s"], 0.3, "s"),
        Budget("habits", found["habits_s"], 0.3, "s"),
        Budget("a frame while ratings are calculated", found["rate_wait_ms"], FRAME_MS, "ms"),
    ]
    return Report([rated, window, waits], budgets)
