"""Other projects' libraries read the replies of demo servers."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest
from mcstatus import BedrockServer, JavaServer
from opengsq.protocols import ASE, Samp, Vcmp  # type: ignore[import-untyped]  # it declares none
from reported_values import shown_name
from timeouts import LIMIT_S

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_server import DemoServer

pytestmark = pytest.mark.linux  # an address for every server

GAMES = ("samp", "vcmp", "mta", "minecraft", "bedrock")


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    with DemoNetwork(40, (1.0, 3.0), simulate_players=False, games=GAMES) as network:
        yield network


def read_all(network: DemoNetwork, game: str, read: Callable[[DemoServer], Awaitable[None]]) -> None:
    servers = [server for server in network.servers if server.state.game.id == game]
    assert any(server.state.players for server in servers)

    async def gather() -> None:
        await asyncio.gather(*map(read, servers))

    asyncio.run(gather())


@pytest.mark.parametrize(("game", "reader"), [("samp", Samp), ("vcmp", Vcmp)])
def test_opengsq_reads_infos(network: DemoNetwork, game: str, reader: type[Samp]) -> None:
    async def read(server: DemoServer) -> None:
        state = server.state
        status = await reader(server.address.host, server.address.port, LIMIT_S).get_status()
        assert (status.server_name, status.game_type) == (state.name, state.current_mode.reported_value)
        assert (status.num_players, status.max_players) == (len(state.players), state.max_players)
        assert bool(status.password) == state.has_password

    read_all(network, game, read)


def test_opengsq_reads_rules_and_names(network: DemoNetwork) -> None:
    async def read_rules(server: DemoServer) -> None:
        rules = dict(await Samp(server.address.host, server.address.port, LIMIT_S).get_rules())
        assert (rules["mapname"], rules["version"]) == (server.state.map, server.state.game.version)

    async def read_names(server: DemoServer) -> None:
        players = await Vcmp(server.address.host, server.address.port, LIMIT_S).get_players()
        assert [player.name for player in players] == [player.name for player in server.state.players]

    read_all(network, "samp", read_rules)
    read_all(network, "vcmp", read_names)


def test_opengsq_reads_ase(network: DemoNetwork) -> None:
    async def read(server: DemoServer) -> None:
        state = server.state
        status = await ASE(server.address.host, server.address.port, LIMIT_S).get_status()
        assert (status.game_name, status.game_port) == ("mta", server.game_address.port)
        assert (status.hostname, status.map) == (state.name, state.map)
        assert (status.game_type, status.version) == (state.current_mode.reported_value, state.game.version)
        assert (status.num_players, status.max_players) == (len(state.players), state.max_players)
        assert (status.password, status.rules) == (state.has_password, state.game.extra_info)
        assert [(player.name, player.ping) for player in status.players] == [
            (player.name, player.ping_ms) for player in state.players
        ]

    read_all(network, "mta", read)


def test_mcstatus_reads_java(network: DemoNetwork) -> None:
    async def read(server: DemoServer) -> None:
        state = server.state
        java = JavaServer(server.address.host, server.address.port, LIMIT_S)
        status = await java.async_status()
        assert status.version.name == state.game.version
        assert (status.players.online, status.players.max) == (len(state.players), state.max_players)
        assert [player.name for player in status.players.sample or ()] == [each.name for each in state.players[:12]]
        assert status.motd.to_plain() == shown_name(state)
        assert await java.async_ping() > 0

    read_all(network, "minecraft", read)


def test_mcstatus_reads_bedrock(network: DemoNetwork) -> None:
    async def read(server: DemoServer) -> None:
        state = server.state
        status = await BedrockServer(server.address.host, server.address.port, LIMIT_S).async_status()
        assert (status.version.brand, status.version.name) == ("MCPE", state.game.version)
        assert (status.players.online, status.players.max) == (len(state.players), state.max_players)
        assert (status.map_name, status.gamemode) == (state.map, state.current_mode.reported_value)

    read_all(network, "bedrock", read)
