"""The player's own record: 100,000 rounds taken in, taken in once more, read back.

One seeded record of pick-up rounds, six against six, with kills, deaths and scores; each figure is of the whole way
between a file and a finished transaction, or between the database and a record to rate.
"""

from bench_child import ask_child
from bench_report import Budget, Report, Table

LIMIT_S = 600.0
ROUNDS = 100_000


def run(quick: bool) -> Report:
    """A tenth of the rounds when quick."""
    rounds = ROUNDS // 10 if quick else ROUNDS
    found = ask_child("record_child.py", {"rounds": rounds, "repeats": 3}, LIMIT_S)
    table = Table(f"A record of {rounds:,} rounds", ("work", "rounds/s", "s"))
    for title, key in (("taken in", "add_s"), ("taken in again", "again_s"), ("read back", "read_s")):
        table.rows.append((title, rounds / found[key], found[key]))
    size = Table("What it takes", ("peak memory while taken in, MB", "on disk, MB", "its stamp, s"))
    size.rows.append((found["peak_mb"], found["size_mb"], found["stamp_s"]))
    budgets = [
        Budget("rounds read back", rounds / found["read_s"], 30_000, "/s", is_minimum=True),
        Budget("the record's stamp", found["stamp_s"], 0.02, "s"),
        Budget("peak memory while taken in", found["peak_mb"], 500, "MB"),
    ]
    return Report([table, size], budgets)
