"""A demo network with faults, for `DemoProcess`.

Usage: `fault_network.py FAULTS …`, FAULTS being `NetworkFaults` as JSON.
"""

import argparse
import json

from demo_network_server import serve

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_options import DemoOptions, add_demo_arguments, demo_options_from_args
from browser_app.demo.faults.network_faults import MasterFault, NetworkFaults, ServerFault
from browser_app.demo.scenario import GAME_SPECS
from browser_app.protocols.query_protocols import BZFLAG, LISTED, LUANTI, MINECRAFT, MUMBLE, SPACE_STATION

LATENCY_MS = (15.0, 180.0)
GAMES = tuple(
    game.id
    for game in GAME_SPECS.values()
    if game.protocol not in (BZFLAG, LISTED, LUANTI, MINECRAFT, MUMBLE, SPACE_STATION)
)
"""Those whose replies name the server, over UDP; their expected losses can be computed."""


def network_of(options: DemoOptions, faults: str) -> DemoNetwork:
    """Return the network of these options and faults, not started."""
    given = json.loads(faults)
    masters = {game: MasterFault(fault) for game, fault in given.pop("masters", {}).items()}
    servers = {ServerFault(fault): share for fault, share in given.pop("servers", {}).items()}
    return DemoNetwork(
        servers=options.servers,
        latency_ms=options.latency_ms or LATENCY_MS,
        loss=options.loss,
        dead=options.dead,
        seed=options.seed,
        faults=NetworkFaults(servers, masters=masters, **given),
        games=GAMES,
    )


def main() -> None:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("faults")
    add_demo_arguments(parser)
    arguments = parser.parse_args()
    serve(network_of(demo_options_from_args(arguments), arguments.faults))


if __name__ == "__main__":
    main()
