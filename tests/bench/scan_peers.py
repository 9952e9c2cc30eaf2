"""Child: one scan by python-a2s, opengsq or Debian's quakestat."""

import asyncio
import resource
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from bench_child import answer_parent
from scan_result import ScanResult

TIMEOUT_S = 3.0
"""python-a2s's own; opengsq gets the same."""
_RAW_ADDRESS, _RAW_PING, _RAW_FIELDS = 1, 6, 8
"""Columns of quakestat's `-raw`: type, address, name, map, most players, players, ping, retries."""

Ask = Callable[[str, int], Awaitable[float]]
"""Asks one server; its ping in ms. Raises when it does not answer."""


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Scan `servers` with `peer`, `in_flight` at once, at most `timeout_s` long."""
    if request["peer"] == "quakestat":
        return asdict(_quakestat(request["servers"], request["options"], request["limit_s"]))
    ask = {"python-a2s": _python_a2s, "opengsq": _opengsq}[request["peer"]]()
    return asdict(asyncio.run(_all(ask, request["servers"], request["in_flight"], request["limit_s"])))


async def _all(ask: Ask, servers: list[str], in_flight: int, limit_s: float) -> ScanResult:
    room = asyncio.Semaphore(in_flight)
    pings: dict[str, float] = {}

    async def one(server: str) -> None:
        host, _, port = server.rpartition(":")
        async with room:
            try:
                pings[server] = await ask(host, int(port))
            except Exception:  # noqa: BLE001 - whatever a library raises, the server is lost
                return

    cpu_s, began_s = time.process_time(), time.perf_counter()
    tasks = [asyncio.ensure_future(one(server)) for server in servers]
    _, unfinished = await asyncio.wait(tasks, timeout=limit_s)
    result = ScanResult(pings, time.perf_counter() - began_s, time.process_time() - cpu_s, stopped=bool(unfinished))
    for task in unfinished:
        task.cancel()
    return result


def _python_a2s() -> Ask:
    import a2s  # type: ignore[import-untyped]  # it has no type hints

    async def ask(host: str, port: int) -> float:
        info = await a2s.ainfo((host, port), timeout=TIMEOUT_S)
        return float(info.ping) * 1e3

    return ask


def _opengsq() -> Ask:
    """It tells no ping: its caller takes the time."""
    import opengsq  # type: ignore[import-untyped]  # it declares none

    async def ask(host: str, port: int) -> float:
        began_s = time.perf_counter()
        await opengsq.Source(host, port, TIMEOUT_S).get_info()
        return (time.perf_counter() - began_s) * 1e3

    return ask


def _quakestat(servers: list[str], options: list[str], limit_s: float) -> ScanResult:
    with (
        tempfile.NamedTemporaryFile("w+", suffix=".lst") as hosts,
        tempfile.TemporaryFile("w+", errors="replace") as out,
    ):
        hosts.writelines(f"A2S {server}\n" for server in servers)
        hosts.flush()
        command = ["quakestat", "-raw", "\t", "-nh", *options, "-f", hosts.name]
        began_s, stopped = time.perf_counter(), False
        with subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL) as child:
            try:
                child.wait(limit_s)
            except subprocess.TimeoutExpired:
                child.kill()
                stopped = True
        wall_s = time.perf_counter() - began_s
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        out.seek(0)
        pings = dict(_raw_pings(out.read()))
    return ScanResult(pings, wall_s, used.ru_utime + used.ru_stime, stopped=stopped)


def _raw_pings(text: str) -> list[tuple[str, float]]:
    lines = [line.split("\t") for line in text.splitlines()]
    return [(line[_RAW_ADDRESS], float(line[_RAW_PING])) for line in lines if len(line) == _RAW_FIELDS]


if __name__ == "__main__":
    answer_parent(measure)
