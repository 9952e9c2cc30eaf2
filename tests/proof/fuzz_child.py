"""Child: a share of the fuzzer's cases for some readers, or one reader's by coverage where atheris is installed.

Standard input: `{"seed", "cases": {reader: number}, "recorded": folders, "guided": false}`; standard output: for
each reader what was found. `guided` takes one reader and an empty folder, `corpus`, and never returns: libFuzzer ends
the process.
"""

import json
import random
import sys
import time
from pathlib import Path
from typing import Any

SLOW_S = 2.0
"""A case that takes more of a processor is a fault: at most 64 KiB, which no reader may brood over."""


def main() -> None:
    """Do what standard input asks for."""
    request = json.load(sys.stdin)
    if request.get("guided"):
        _guided(request)
        return
    from fuzz_readers import readers

    table = readers([Path(folder) for folder in request["recorded"]])
    json.dump(
        {name: _fuzz(table[name], name, cases, request["seed"]) for name, cases in request["cases"].items()}, sys.stdout
    )


def _fuzz(reader: Any, name: str, cases: int, seed: int) -> dict[str, Any]:
    from fuzz_mutation import mutated

    rng, refused, slowest_s = random.Random(f"{name} {seed}"), 0, 0.0
    faults: dict[str, str] = {}
    for _ in range(cases):
        data = mutated(reader.seeds, rng)
        began_s = time.process_time()
        try:
            refused += reader.refuses(data)
        except Exception as error:  # noqa: BLE001 (that is what is looked for)
            faults.setdefault(f"{type(error).__name__}: {error}"[:200], data[:400].hex())
        took_s = time.process_time() - began_s
        slowest_s = max(slowest_s, took_s)
        if took_s > SLOW_S:
            faults.setdefault(f"took {took_s:.1f} s", data[:400].hex())
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
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={corpus}/crash-", str(corpus)], reader.refuses)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
