"""What a demo network on a stage of its own does: it says where it is, and answers `DemoProcess`."""

import gc
import json
import sys

from browser_app.demo.command import REPORT
from browser_app.demo.network import DemoNetwork


def serve(network: DemoNetwork) -> None:
    """Run it until standard input ends."""
    with network:
        gc.collect()
        gc.freeze()
        _say(network.sources.as_json())
        for line in sys.stdin.buffer:
            if line == REPORT:
                _say(json.dumps(network.report()))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
