"""The `demo` command."""

import json

from program_runner import run_process


def test_prints_sources_and_ends() -> None:
    result = run_process("demo", "--servers=7", "--seconds=0.1", "--latency=5", "--seed=3")
    assert result.status == 0
    assert {"masters", "servers"} <= set(result.json)
    assert len(result.json["servers"]) == 7
    assert result.err == ""
    assert len(json.loads(result.out)["masters"]) >= 1
