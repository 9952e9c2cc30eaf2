"""Child: a share of the fuzzer's cases for some readers.

Or one reader's cases by coverage, where atheris is installed.

Standard input: `{"seed", "cases": {reader: number}, "recorded": folders, "guided": false}`; standard output:
`{"readers": {reader: what was found}, "unreached": lines of the protocols' readers}`. Of the first cases of each
reader, those that reach a new line become samples. `guided` takes one reader and an empty folder, `corpus`, and never
returns: libFuzzer ends the process.
"""

import json
import random
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

SLOW_S = 2.0
"""A case that takes more of a processor is a fault: at most 64 KiB, which no reader may brood over."""
TRACED_CASES = 2000
"""First cases of each reader, whose lines are noted: that slows them down."""


def main() -> None:
    """Do what standard input asks for."""
    request = json.load(sys.stdin)
    if request.get("guided"):
        _guided(request)
        return
    from fuzz_readers import readers
    from line_coverage import LineCoverage

    table, coverage = readers([Path(folder) for folder in request["recorded"]]), LineCoverage()
    found = {
        name: _fuzz(table[name], cases, random.Random(f"{name} {request['seed']}"), coverage)
        for name, cases in request["cases"].items()
    }
    json.dump({"readers": found, "unreached": coverage.unreached}, sys.stdout)


def _fuzz(reader: Any, cases: int, rng: random.Random, coverage: Any) -> dict[str, Any]:
    refused, slowest_s = 0, 0.0
    faults: dict[str, str] = {}
    for number in range(cases):
        data, unreached = reader.new_case(rng), len(coverage)
        began_s = time.process_time()
        try:
            with coverage if number < TRACED_CASES else nullcontext():
                refused += reader.rejects(data)
        except Exception as error:  # noqa: BLE001 (that is what is looked for)
            faults.setdefault(f"{type(error).__name__}: {error}"[:200], data[:400].hex())
        took_s = time.process_time() - began_s
        slowest_s = max(slowest_s, took_s)
        if took_s > SLOW_S:
            faults.setdefault(f"took {took_s:.1f} s", data[:400].hex())
        if len(coverage) < unreached:
            reader = replace(reader, seeds=(*reader.seeds, data))
    return {"cases": cases, "refused": refused, "slowest_ms": slowest_s * 1e3, "faults": faults}


def _guided(request: dict[str, Any]) -> None:
    """Cases that reach new lines of the reader breed further ones."""
    import atheris  # type: ignore[import-untyped]  # none of the project's packages

    with atheris.instrument_imports(include=["browser_app"]):
        from fuzz_readers import readers
    ((name, cases),) = request["cases"].items()
    reader = readers([Path(folder) for folder in request["recorded"]])[name]
    corpus = Path(request["corpus"])
    for number, seed in enumerate(reader.seeds):
        (corpus / str(number)).write_bytes(seed)
    options = [f"-runs={cases}", f"-seed={request['seed']}", "-max_len=16384", "-timeout=10", "-rss_limit_mb=2048"]
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={corpus}/crash-", str(corpus)], reader.rejects)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
