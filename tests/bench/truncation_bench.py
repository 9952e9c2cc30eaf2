"""Storage: databases cut off at every page and at thousands of other bytes.

Power failures may leave them so.
"""

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench_child import HERE, ask_child
from bench_report import Budget, Report, Table

CHILD = str(HERE.parent / "proof" / "truncation_child.py")


def run_step(step: int) -> Report:
    """Cut both files at each page, their first and last bytes, and every `step` bytes."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        requests = [{"folder": str(Path(folder) / str(part)), "file": part, "step": step} for part in (0, 1)]
        found: list[dict[str, Any]] = list(pool.map(lambda request: ask_child(CHILD, request, 3600.0), requests))
    columns = ("file cut off", "cases", "readable", "set aside with a notice", "older rows lost or half a transaction")
    table = Table("The database of a killed program, cut off", columns)
    for each in found:
        table.rows.append((each["file"], each["cases"], each["readable"], each["set_aside"], len(each["wrong"])))
        sys.stderr.write("".join(f"{each['file']} {wrong}\n" for wrong in each["wrong"][:10]))
    return Report([table], [Budget("databases with losses", sum(len(each["wrong"]) for each in found), 0, "")])
