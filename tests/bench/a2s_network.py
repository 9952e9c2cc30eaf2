"""A demo network of A2S servers only, for `DemoProcess`.

Every scanner of the comparison can query them.

Nobody comes or goes, so that all time is left to answering punctually.
"""

import argparse

from demo_network_server import serve

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_options import add_demo_arguments, demo_options_from_args
from browser_app.demo.games.source_games import A2S_GAMES


def main() -> None:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser()
    add_demo_arguments(parser)
    parser.add_argument("--challenge", type=float, default=0.0, help="share of servers that want a challenge")
    arguments = parser.parse_args()
    options = demo_options_from_args(arguments)
    network = DemoNetwork(
        servers=options.servers,
        latency_ms=options.latency_ms or (40.0, 40.0),
        loss=options.loss,
        dead=options.dead,
        seed=options.seed,
        challenge_info=arguments.challenge,
        simulate_players=False,
        games=[sheet.id for sheet in A2S_GAMES if sheet.id != "ns2"],  # whose rules Ready Room would ask for too
    )
    serve(network)


if __name__ == "__main__":
    main()
