"""Runner of the command `demo`: serve a network and print its addresses."""

import gc
import json
import os
import signal
import sys
import threading
from typing import TextIO

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_options import DEFAULT_JITTER_MS, DEFAULT_LATENCY_MS, DemoOptions
from browser_app.demo.scenario import GAME_SPECS, QUERIED_GAMES

REPORT_REQUEST = b"report\n"
"""Written to standard input, with `until_eof`, requests `DemoNetwork.report` as one line of JSON."""


def run_demo(options: DemoOptions, out: TextIO) -> None:
    """Run a demo network; print its sources to `out` as JSON as soon as it answers.

    Ends after `options.seconds`, on SIGTERM, and with `options.until_eof` at the end of standard
    input, so that a child ends with its parent. `KeyboardInterrupt` passes through after cleaning up.

    Raises:
        DemoError: the network cannot be set up on this system.
    """
    stop = threading.Event()
    network = make_network(options)
    previous = signal.signal(signal.SIGTERM, lambda *_: stop.set())
    try:
        with network:
            gc.collect()
            gc.freeze()  # a full collection over thousands of servers would delay replies by tens of milliseconds
            _print(out, network.sources.as_json())
            if options.until_eof:
                threading.Thread(target=_serve_requests, args=(network, out, stop), daemon=True).start()
            stop.wait(options.seconds)
    finally:
        signal.signal(signal.SIGTERM, previous)
        gc.unfreeze()


def make_network(options: DemoOptions) -> DemoNetwork:
    """Return the network for these options, not started."""
    return DemoNetwork(
        servers=options.servers,
        latency_ms=options.latency_ms or DEFAULT_LATENCY_MS,
        loss=options.loss,
        dead=options.dead,
        seed=options.seed,
        games=tuple(GAME_SPECS) if options.states else QUERIED_GAMES,
        states=options.states,
        jitter_ms=0.0 if options.latency_ms else DEFAULT_JITTER_MS,
    )


def _serve_requests(network: DemoNetwork, out: TextIO, stop: threading.Event) -> None:
    waiting = b""
    while data := os.read(sys.stdin.fileno(), 4096):
        *lines, waiting = (waiting + data).split(b"\n")
        if REPORT_REQUEST.rstrip() in lines:
            _print(out, json.dumps(network.report()))
    stop.set()


def _print(out: TextIO, line: str) -> None:
    out.write(line + "\n")
    out.flush()
