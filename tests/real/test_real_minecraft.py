"""Real Minecraft servers from npm, as other people's readers and ours read them."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack

import installed_servers
import pytest
from game_servers import gamedig, info_of, query, running
from mcstatus import BedrockServer, JavaServer
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import ServerInfo
from browser_app.protocols.address import Address

pytestmark = pytest.mark.linux


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Address]]:
    """The servers by protocol."""
    folder = tmp_path_factory.mktemp("minecraft")
    starts = {"minecraft": installed_servers.minecraft, "bedrock": installed_servers.bedrock}
    with ExitStack() as ends:
        yield {name: ends.enter_context(running(start(folder / name), folder / name)) for name, start in starts.items()}


@pytest.fixture(scope="module")
def java(servers: dict[str, Address]) -> ServerInfo:
    return info_of(query("minecraft", servers["minecraft"]))


@pytest.fixture(scope="module")
def bedrock(servers: dict[str, Address]) -> ServerInfo:
    return info_of(query("bedrock", servers["bedrock"]))


def test_java_as_by_mcstatus(servers: dict[str, Address], java: ServerInfo) -> None:
    other = JavaServer(*servers["minecraft"], LIMIT_S).status()
    assert (java.game, java.name, java.version) == ("minecraft", other.motd.to_plain(), other.version.name)
    assert (java.players, java.max_players) == (other.players.online, other.players.max) == (1, 10)
    assert other.raw["description"] == {"text": java.coloured_name}


def test_java_as_by_gamedig(servers: dict[str, Address], java: ServerInfo) -> None:
    other = gamedig("minecraft", servers["minecraft"])
    assert (java.name, java.version) == (other["name"], other["version"]) == ("Rig Ünïcode", "1.16.1")
    assert (java.players, java.max_players) == (other["numplayers"], other["maxplayers"])


def test_bedrock_as_by_mcstatus(servers: dict[str, Address], bedrock: ServerInfo) -> None:
    other = asyncio.run(BedrockServer(*servers["bedrock"], LIMIT_S).async_status())
    assert (bedrock.game, bedrock.name, bedrock.version) == ("bedrock", other.motd.to_plain(), other.version.name)
    assert (bedrock.players, bedrock.max_players) == (other.players.online, other.players.max) == (0, 12)
    assert (bedrock.map, bedrock.mode) == (other.map_name, other.gamemode)


def test_bedrock_as_by_gamedig(servers: dict[str, Address], bedrock: ServerInfo) -> None:
    other = gamedig("mbe", servers["bedrock"])
    assert (bedrock.name, bedrock.map, bedrock.version) == (other["name"], other["map"], other["version"])
    assert (bedrock.players, bedrock.max_players) == (other["numplayers"], other["maxplayers"])
    assert bedrock.mode == other["raw"]["bedrock"]["raw"]["gameMode"] == "creative"
