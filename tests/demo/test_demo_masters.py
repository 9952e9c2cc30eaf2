"""Demo master servers: whole lists, keys, limits and faults."""

import json
import socket
import time

import pytest
import requests
from timeouts import LIMIT_S
from udp_client import UdpClient

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.faults.network_faults import MasterFault, NetworkFaults
from browser_app.demo.masters.demo_masters import DEMO_STEAM_KEY
from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.quake.dpmaster import ServersPacket, encode_servers_request, parse_servers_packet

pytestmark = pytest.mark.linux
UNLISTED_GAMES = ("fivem", "minecraft", "bedrock")
"""Games without a master server."""


def master(network: DemoNetwork, game: str) -> tuple[Address, str, int]:
    """Address, game name and protocol of a game's master, from its URL."""
    starts = {"xonotic": "/Xonotic/3", "quake3": "//68", "unvanquished": "/UNVANQUISHED/86"}
    url = next(url for url in network.sources.masters if url.endswith(starts[game]))
    host, gamename, protocol = url.removeprefix("dpmaster://").split("/")
    return parse_address(host), gamename, int(protocol)


def poll(network: DemoNetwork, game: str, count: int, *, ipv6: bool = False) -> list[ServersPacket]:
    """The `count` packets of a master's list, and the check that there are no more."""
    address, gamename, protocol = master(network, game)
    with UdpClient() as client:
        packets = [
            parse_servers_packet(each.data)
            for each in client.request(encode_servers_request(gamename, protocol, ipv6), address, count)
        ]
        assert len(packets) == count
        assert client.receives_nothing()
    return packets


def listed(packets: list[ServersPacket]) -> list[Address]:
    return [address for packet in packets for address in packet.addresses]


def faulty(game: str, fault: MasterFault, servers: int = 500) -> DemoNetwork:
    return DemoNetwork(servers, faults=NetworkFaults(masters={game: fault}), games=(game,), simulate_players=False)


@pytest.mark.parametrize("game", ["xonotic", "quake3"])
def test_long_list_has_one_end(game: str) -> None:
    with DemoNetwork(500, games=(game,), dead=0.5) as network:
        packets = poll(network, game, 3)
        assert [packet.is_last for packet in packets] == [False, False, True]
        assert sorted(listed(packets)) == sorted(server.address for server in network.servers)


def test_extended_request_is_read() -> None:
    with DemoNetwork(20, games=("unvanquished",)) as network:
        assert len(listed(poll(network, "unvanquished", 1, ipv6=True))) == 20


def test_other_game_has_no_servers() -> None:
    with DemoNetwork(20, games=("xonotic",)) as network, UdpClient() as client:
        (received,) = client.request(encode_servers_request("Nexuiz", 3), master(network, "xonotic")[0])
        assert parse_servers_packet(received.data) == ServersPacket((), is_last=True)
        client.send(b"\xff\xff\xff\xffnonsense", master(network, "xonotic")[0])
        assert client.receives_nothing()


def test_faults_of_udp_masters() -> None:
    with faulty("xonotic", MasterFault.DEAD) as network:
        assert not poll(network, "xonotic", 0)
    with faulty("xonotic", MasterFault.EMPTY) as network:
        assert poll(network, "xonotic", 1) == [ServersPacket((), is_last=True)]
    with faulty("xonotic", MasterFault.INCOMPLETE) as network:
        assert poll(network, "xonotic", 2)[-1].is_last
    with faulty("xonotic", MasterFault.NO_END) as network:
        packets = poll(network, "xonotic", 3)
        assert len(listed(packets)) == 500
        assert not any(packet.is_last for packet in packets)
    with faulty("xonotic", MasterFault.ENDLESS, servers=100) as network:
        assert len(listed(poll(network, "xonotic", 100))) == 100 * 100
    with faulty("xonotic", MasterFault.PRIVATE, servers=10) as network:
        hosts = {address.host for address in listed(poll(network, "xonotic", 1))}
        assert {"192.168.1.10", "169.254.17.4", "224.0.0.9", "240.1.2.3"} < hosts
    with faulty("xonotic", MasterFault.GARBAGE) as network, UdpClient() as client:
        assert (
            client.request(encode_servers_request("Xonotic", 3), master(network, "xonotic")[0])[0].data[4:9] == b"print"
        )


def get(network: DemoNetwork, path: str, timeout_s: float = LIMIT_S, **query: str) -> requests.Response:
    base = network.sources.masters[0].removeprefix("steam-web+").removeprefix("json+")
    host = base.split("/", 3)[2]
    return requests.get(f"http://{host}{path}", params=query, timeout=timeout_s)


SERVER_LIST = "/IGameServersService/GetServerList/v1/"


def test_web_api_obeys_limit() -> None:
    with DemoNetwork(400, games=("ns2", "tf2", "xonotic")) as network:
        for game, appid in (("ns2", 4920), ("tf2", 440)):
            ours = [server for server in network.servers if server.state.game.id == game]
            reply = get(network, SERVER_LIST, key=DEMO_STEAM_KEY, filter=rf"\appid\{appid}", limit="20000")
            rows = reply.json()["response"]["servers"]
            assert {row["addr"] for row in rows} == {str(server.address) for server in ours}
            assert {row["appid"] for row in rows} == {appid}
            for row, server in zip(rows, ours, strict=True):
                assert row["name"] == server.state.name
                assert row["gameport"] == server.address.port - server.state.game.profile.query_port_offset
            assert f"steam-web+http://127.0.0.1:{reply.url.split(':')[2].split('/')[0]}/?appid={appid}" in (
                network.sources.masters
            )
        assert len(get(network, SERVER_LIST, key=DEMO_STEAM_KEY, limit="7").json()["response"]["servers"]) == 7
        assert len(get(network, SERVER_LIST, key=DEMO_STEAM_KEY).json()["response"]["servers"]) == 100


def test_web_api_wants_its_key() -> None:
    with DemoNetwork(10, games=("ns2",)) as network:
        assert get(network, SERVER_LIST, key="another").status_code == 403
        assert get(network, SERVER_LIST).status_code == 403
        assert get(network, SERVER_LIST, key=network.sources.steam_key).status_code == 200
        assert get(network, "/elsewhere").status_code == 404


def test_servers_at_address() -> None:
    with DemoNetwork(10, games=("ns2",)) as network:
        server = network.servers[3]
        found = get(network, "/ISteamApps/GetServersAtAddress/v1/", addr=server.address.host).json()["response"]
        assert [row["addr"] for row in found["servers"]] == [str(server.address)]


def test_community_list_is_complete() -> None:
    with DemoNetwork(400) as network:
        urls = get(network, "/servers.json").json()["servers"]
        assert set(urls) < set(network.sources.servers)
        assert {"a2s", "quake3", "darkplaces"} < {url.split(":")[0] for url in urls}
        unlisted = {server.url for server in network.servers if server.state.game.id in UNLISTED_GAMES}
        assert len(unlisted) > 25
        assert unlisted < set(urls)
        assert any(url.startswith("json+http://127.0.0.1:") for url in network.sources.masters)


def test_faults_of_web_masters() -> None:
    def request_list(fault: MasterFault, timeout_s: float = LIMIT_S) -> requests.Response:
        with DemoNetwork(50, games=("ns2",), faults=NetworkFaults(masters={"steam": fault})) as network:
            return get(network, SERVER_LIST, timeout_s, key=DEMO_STEAM_KEY)

    with pytest.raises(requests.Timeout):
        request_list(MasterFault.DEAD, timeout_s=0.2)
    with pytest.raises(requests.Timeout):
        request_list(MasterFault.SLOW, timeout_s=0.2)
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        request_list(MasterFault.INCOMPLETE)
    with pytest.raises(json.JSONDecodeError):
        request_list(MasterFault.GARBAGE).json()
    assert request_list(MasterFault.EMPTY).json()["response"] == {}
    private = {row["addr"].split(":")[0] for row in request_list(MasterFault.PRIVATE).json()["response"]["servers"]}
    assert "192.168.1.10" in private


def test_slow_master_answers() -> None:
    faults = NetworkFaults(masters={"xonotic": MasterFault.SLOW}, slow_s=0.3)
    with DemoNetwork(10, games=("xonotic",), faults=faults) as network:
        begin = time.monotonic()
        address, gamename, protocol = master(network, "xonotic")
        with UdpClient() as client:
            assert len(client.request(encode_servers_request(gamename, protocol), address)) == 1
        assert time.monotonic() - begin > 0.3


def test_malformed_web_requests() -> None:
    with DemoNetwork(5, games=("ns2",), simulate_players=False) as network:
        host, port = get(network, SERVER_LIST, key=DEMO_STEAM_KEY).url.split("/")[2].split(":")
        for url in ("//[", f"{SERVER_LIST}?key={DEMO_STEAM_KEY}&limit={'9' * 5000}"):
            with socket.create_connection((host, int(port)), LIMIT_S) as sock:
                sock.sendall(f"GET {url} HTTP/1.1\r\n\r\n".encode())
                assert sock.recv(100).split()[1] == b"400"
        assert get(network, SERVER_LIST, key=DEMO_STEAM_KEY).status_code == 200
