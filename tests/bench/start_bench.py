"""Start-up: time to the first paint, the first answer and the end of a scan.

The program is started as a user starts it, on Qt's offscreen platform, and prints its own marks (`READY_ROOM_TIMINGS`),
counted from the moment at which the system made the process.
"""

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from bench_report import Budget, Report, Table

from browser_app.demo.demo_options import DemoOptions
from browser_app.demo.demo_process import DemoProcess

LIMIT_S = 60.0
EVENTS = ("first_paint", "first_answer", "scan_done")


def run(quick: bool) -> Report:
    """First starts in an empty home, and later ones that bring back the last list."""
    table = Table("Start to …, ms since the process began", ("start", "first paint", "first answer", "scan done"))
    paints = list[float]()
    for servers in (200,) if quick else (200, 5000):
        with DemoProcess(DemoOptions(servers=servers)) as demo, tempfile.TemporaryDirectory() as home:
            masters = [f"--master={url}" for url in demo.sources.masters]
            environment = {"READY_ROOM_HOME": home, "READY_ROOM_STEAM_KEY": demo.sources.steam_key}
            for name, rounds, until in (("first start", 1, "scan_done"), ("later starts, median", 3, "first_answer")):
                marks = [_start(masters, environment, until) for _ in range(rounds)]
                row = [statistics.median(each[event] for each in marks) for event in EVENTS]
                table.rows.append((f"{servers:,} servers, {name}", *row))
                paints.append(row[0])
    slowest_ms = max(paints, key=lambda ms: (ms != ms, ms))  # one that never came is the slowest
    return Report([table], [Budget("start to first paint", slowest_ms / 1e3, 1.5, "s")])


def _start(arguments: Sequence[str], environment: dict[str, str], until: str) -> dict[str, float]:
    """Start the program and end it at a mark as Ctrl-C does.

    Return all marks up to that one, ms; NaN for none.
    """
    program = Path(sys.executable).with_name("ready-room")
    offscreen = os.environ | environment | {"READY_ROOM_TIMINGS": "1", "QT_QPA_PLATFORM": "offscreen"}
    marks = dict.fromkeys(EVENTS, float("nan"))
    with subprocess.Popen([program, *arguments], stderr=subprocess.PIPE, text=True, env=offscreen) as child:
        too_long = threading.Timer(LIMIT_S, child.kill)
        too_long.start()
        assert child.stderr is not None
        for line in child.stderr:
            if not line.startswith('{"event"'):
                sys.stderr.write(line)
                continue
            mark = json.loads(line)
            marks[mark["event"]] = mark["ms"]
            if mark["event"] == until:
                child.send_signal(signal.SIGINT)
        too_long.cancel()
        too_long.join()
    return marks
