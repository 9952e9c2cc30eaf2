"""A demo network in a process of its own.

It reports its address and answers `DemoProcess`.
"""

import gc
import json
import sys

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_runner import REPORT_REQUEST


def serve(network: DemoNetwork) -> None:
    """Run it until standard input ends."""
    with network:
        gc.collect()
        gc.freeze()
        _say(network.sources.as_json())
        for line in sys.stdin.buffer:
            if line == REPORT_REQUEST:
                _say(json.dumps(network.report()))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
