"""Fuzzing: every reader of outside input, a million cases.

Only a reader's declared error may come out of it.

Most cases are built by a grammar and then changed, so that there is structure for the changes to break. The lines of
`browser_app/protocols` that none of them reaches are listed. Where atheris is installed (`pip install atheris`; it is
none of the project's packages), all readers but those of whole files are fuzzed once more by coverage.
"""

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench_child import HERE, ask_child, child_environment
from bench_report import Budget, Report, Table

PROOF = HERE.parent / "proof"
CHILD = str(PROOF / "fuzz_child.py")
LIMIT_S = 3600.0
_RUNS = re.compile(r"Done (\d+) runs|#(\d+)\t")
_COVERED = re.compile(r"cov: (\d+)")


def run_cases(cases: int, seed: int = 1) -> Report:
    """Run a number of cases over all readers."""
    found, unreached = _by_mutation(cases, _shares(), _recorded(), seed)
    done = sum(each["cases"] for each in found.values())
    table = Table(
        f"{done:,} cases",
        ("reader", "cases", "rejected %", "slowest ms", "faults"),
    )
    for name, each in sorted(found.items()):
        share = 100 * each["refused"] / each["cases"]
        table.rows.append((name, each["cases"], share, each["slowest_ms"], len(each["faults"])))
        for fault, data in each["faults"].items():
            sys.stderr.write(f"{name}: {fault}: {data}\n")
    faults = sum(len(each["faults"]) for each in found.values())
    for line in unreached:
        sys.stderr.write(f"not reached: {line}\n")
    budgets = [
        Budget("cases", done, 0.99 * cases, "", is_minimum=True),
        Budget("faults", faults, 0, ""),
        Budget("lines of the protocols' readers not reached", len(unreached), 0, ""),
    ]
    return Report([table], budgets)


def run_guided(runs: int, seed: int = 1) -> Report:
    """Run a number of cases for each reader that is fuzzed by coverage.

    Does nothing where atheris is not installed.
    """
    if not importlib.util.find_spec("atheris"):
        return Report([Table("By coverage: atheris is not installed", ("reader",))])
    return _by_coverage(sorted(name for name, share in _shares().items() if share > 1), runs, _recorded(), seed)


def _shares() -> dict[str, int]:
    return dict(ask_child(str(PROOF / "fuzz_shares.py"), {}, 60.0))


def _recorded() -> list[str]:
    sys.path.append(str(HERE.parent))
    from recorded_data import data_folders

    return list(map(str, data_folders().values()))


def _by_mutation(
    cases: int, shares: dict[str, int], recorded: list[str], seed: int
) -> tuple[dict[str, Any], list[str]]:
    """Run on two processors, with the readers dealt out in turn.

    Return the faults, and the lines that were not reached.
    """
    whole = sum(shares.values())
    each = {name: max(1, round(cases * share / whole)) for name, share in shares.items()}
    hands = [dict(list(each.items())[start::2]) for start in range(2)]
    with ThreadPoolExecutor(2) as pool:
        requests = ({"seed": seed, "cases": hand, "recorded": recorded} for hand in hands)
        parts = list(pool.map(lambda request: ask_child(CHILD, request, LIMIT_S), requests))
    unreached = set(parts[0]["unreached"]).intersection(*(part["unreached"] for part in parts))
    return {name: found for part in parts for name, found in part["readers"].items()}, sorted(unreached)


def _by_coverage(names: Sequence[str], runs: int, recorded: list[str], seed: int) -> Report:
    table = Table("By coverage (atheris)", ("reader", "cases", "edges reached", "faults"))
    with ThreadPoolExecutor(2) as pool:
        ended = pool.map(lambda name: _guided(name, runs, recorded, seed), names)
        for name, (status, said) in zip(names, ended, strict=True):
            counts = [int(done or at) for done, at in _RUNS.findall(said)]
            covered = [int(count) for count in _COVERED.findall(said)]
            table.rows.append((name, max(counts, default=0), max(covered, default=0), int(status != 0)))
            if status:
                sys.stderr.write(f"{name}:\n{said[-3000:]}\n")
    return Report([table], [Budget("faults", sum(int(str(row[3])) for row in table.rows), 0, "")])


def _guided(name: str, runs: int, recorded: list[str], seed: int) -> tuple[int, str]:
    with tempfile.TemporaryDirectory() as corpus:
        request = {"seed": seed, "cases": {name: runs}, "recorded": recorded, "guided": True, "corpus": corpus}
        try:
            ended = subprocess.run(
                [sys.executable, CHILD],
                input=json.dumps(request),
                capture_output=True,
                text=True,
                env=child_environment(),
                timeout=LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 1, f"it did not end within {LIMIT_S:g} s"
    return ended.returncode, ended.stderr
