"""A demo network of every family, for `DemoProcess`.

Nobody comes or goes, so that all time is left to answering.
"""

import argparse

from demo_network_server import serve

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_options import add_demo_arguments, demo_options_from_args


def main() -> None:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser()
    add_demo_arguments(parser)
    options = demo_options_from_args(parser.parse_args())
    latency_ms = options.latency_ms or (40.0, 40.0)
    serve(DemoNetwork(options.servers, latency_ms, seed=options.seed, simulate_players=False))


if __name__ == "__main__":
    main()
