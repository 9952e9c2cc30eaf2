"""Lists on the web that describe their servers: from HTTP to the catalogue."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from fake_game_servers import FakeServerThread
from fake_masters import Page, web_server
from timeouts import LIMIT_S

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.list_descriptions import merge_descriptions
from browser_app.catalogue.server_info import DescribedServer, QueryStatus, QueryTarget
from browser_app.engine.masters.described_lists import LIST_FORMATS, DescribedListMaster
from browser_app.engine.masters.master_kinds import parse_master_source
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.masters.target_sink import MAX_DESCRIPTIONS, MasterPollContext, TargetSink
from browser_app.engine.network.request_errors import RequestError
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import start_poll
from browser_app.games.game_registry import GameRegistry, load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address

GREETING = bytes.fromhex("4f45740300010003ffdc00010002")


@cache
def games() -> GameRegistry:
    return load_games(resource_folder() / "games")


def luanti_entry(address: str, port: int, **changes: object) -> dict[str, object]:
    entry = {
        "address": address,
        "port": port,
        "name": "A \x1bworld",
        "clients": 2,
        "clients_max": 12,
        "version": "5.6.1",
    }
    return entry | {"clients_list": ["Ann", "Bo"], "gameid": "minetest", "mods": ["beds"], "password": True} | changes


def ddnet_entry(*addresses: str) -> dict[str, object]:
    info = {"name": "Race", "game_type": "DDraceNetwork", "map": {"name": "Sunny"}, "version": "0.6.4, 18.1"}
    people = {"passworded": False, "max_players": 63, "max_clients": 64, "clients": []}
    return {"addresses": list(addresses), "info": info | people}


def described(url: str) -> list[DescribedServer]:
    found: list[DescribedServer] = []
    sink = TargetSink(lambda _targets: None, MasterPollContext(), found.extend)
    parse_master_source(url, games()).poll(sink)
    return found


@pytest.fixture
def luanti_server() -> Iterator[Address]:
    with FakeServerThread() as servers:
        yield servers.add(lambda nth, _data: [(0.0, GREETING)] if not nth else []).target.address


def test_luanti_server_is_listed_then_pinged(luanti_server: Address) -> None:
    document = {"total": {"servers": 1}, "list": [luanti_entry(luanti_server.host, luanti_server.port)]}
    catalogue = Catalogue(games())
    with web_server({"/list": Page(json.dumps(document).encode())}) as web, Scanner(games()) as scanner:
        sources = parse_sources(games(), masters=[f"luanti+http://127.0.0.1:{web.port}/list"])
        poll = start_poll(scanner, sources, pace=PACES["unlimited"])
        assert poll.wait(LIMIT_S)
    merge_descriptions(catalogue, list(poll.descriptions), 1.0)
    assert (catalogue.name[0], catalogue.game[0], catalogue.mode[0]) == ("A world", "luanti", "minetest")
    assert catalogue.status[0] == QueryStatus.LISTED
    catalogue.merge(list(poll.scan.results))
    catalogue.rescore()
    assert (catalogue.name[0], catalogue.status[0]) == ("A world", QueryStatus.OK)
    assert (catalogue.players[0], catalogue.max_players[0], catalogue.password[0] > 0) == (2, 12, False)
    assert catalogue.ping_ms[0] < 1000
    assert catalogue.score[0] > 0
    assert [player.name for player in catalogue.current_players(0) or ()] == ["Ann", "Bo"]


def test_list_that_hides_names_lists_no_players() -> None:
    changes: list[dict[str, object]] = [{"clients_list": []}, {"clients_list": [], "clients": 0}]
    entries = [luanti_entry("127.0.0.1", 30001 + number) | each for number, each in enumerate(changes)]
    with web_server({"/list": Page(json.dumps({"list": entries}).encode())}) as web:
        busy, empty = described(f"luanti+http://127.0.0.1:{web.port}/list")
    assert (busy.info.players, busy.info.player_list) == (2, None)
    assert (empty.info.players, empty.info.player_list) == (0, ())


def test_greeting_alone_identifies_the_game(luanti_server: Address) -> None:
    with Scanner(games()) as scanner:
        scan = scanner.scan([QueryTarget(luanti_server, "luanti", None)], pace=PACES["unlimited"])
        scan.seal()
        assert scan.wait(LIMIT_S)
    info = scan.results[0].info
    assert info is not None
    assert (info.game, info.name, info.players) == ("luanti", "", None)


def test_ddnet_list_describes_servers() -> None:
    entries = [ddnet_entry("tw-0.6+udp://127.0.0.1:8303"), ddnet_entry("tw-0.7+udp://127.0.0.1:8304"), 1, {}]
    with web_server({"/list": Page(json.dumps({"servers": entries}).encode())}) as web:
        first, second = described(f"ddnet+http://127.0.0.1:{web.port}/list")
    assert (first.target.protocol, first.target.game, first.info.name) == ("teeworlds06", "ddnet", "Race")
    assert (first.info.mode, first.info.players, first.info.bots) == ("race", 0, 0)
    assert (second.target.protocol, second.target.address.port) == ("teeworlds07", 8304)


def test_names_are_resolved_with_their_description() -> None:
    document = {"list": [luanti_entry("localhost", 30001), luanti_entry("localhost", 0), luanti_entry("-", 30002)]}
    with web_server({"/list": Page(json.dumps(document).encode())}) as web:
        (server,) = described(f"luanti+http://127.0.0.1:{web.port}/list")
    assert (server.target.address, server.info.connect) == (Address("127.0.0.1", 30001), Address("localhost", 30001))


@pytest.mark.parametrize("body", [b"", b"7", b'{"servers": {}}', b'{"list": 1}', b"<html>"])
def test_other_documents_are_reported(body: bytes) -> None:
    with web_server({"/list": Page(body)}) as web:
        for scheme in (list_format.name for list_format in LIST_FORMATS):
            with pytest.raises(RequestError):
                described(f"{scheme}+http://127.0.0.1:{web.port}/list")


def test_mirror_is_queried_after_failure() -> None:
    source = parse_master_source("ddnet+https://master3.ddnet.org/x", games())
    assert isinstance(source, DescribedListMaster)
    assert source.locations == tuple(f"https://master{number}.ddnet.org/x" for number in (3, 4, 1, 2))
    document = json.dumps({"servers": [ddnet_entry("tw-0.6+udp://127.0.0.1:8303")]}).encode()
    with web_server({"/bad": Page(b"?"), "/good": Page(document)}) as web:
        root = f"http://127.0.0.1:{web.port}"
        found: list[DescribedServer] = []
        sink = TargetSink(lambda _targets: None, MasterPollContext(), found.extend)
        replace(source, locations=(f"{root}/bad", f"{root}/none", f"{root}/good", f"{root}/more")).poll(sink)
        assert (len(found), web.paths) == (1, ["/bad", "/none", "/good"])
        with pytest.raises(RequestError, match="404"):
            replace(source, locations=(f"{root}/bad", f"{root}/none")).poll(
                TargetSink(lambda _: None, MasterPollContext())
            )


def test_list_of_addresses_describes_nothing() -> None:
    document = {"success": True, "servers": [{"ip": "127.0.0.1", "port": 8192}, {"ip": "127.0.0.1"}]}
    targets: list[QueryTarget] = []
    with web_server({"/list": Page(json.dumps(document).encode())}) as web:
        sink = TargetSink(targets.extend, MasterPollContext())
        parse_master_source(f"vcmp+http://127.0.0.1:{web.port}/list", games()).poll(sink)
    assert [(target.protocol, target.address) for target in targets] == [("vcmp", Address("127.0.0.1", 8192))]


def test_lists_in_xml_are_read() -> None:
    info = '<server-info ip="2130706433" port="2760" name="Karts" max_players="8" current_players="3" game_mode="3"/>'
    document = f"<?xml version='1.0'?><list><servers><server>{info}<players/></server></servers></list>"
    with web_server({"/list": Page(document.encode())}) as web:
        (server,) = described(f"supertuxkart+http://127.0.0.1:{web.port}/list")
    assert (server.target.address, server.target.protocol) == (Address("127.0.0.1", 2760), "listed")
    assert (server.info.game, server.info.name, server.info.mode) == ("supertuxkart", "Karts", "race")


def test_public_list_names_voice_servers() -> None:
    entries = (
        '<server name="One &amp; all" ca="1" country_code="DE" ip="127.0.0.1" port="64738" region="x" url="https://a"/>',
        '<server name="No address" port="64738"/>',
        '<server ip="127.0.0.1" port="x"/>',
        '<server ip="localhost" port="64739"/>',
    )
    document = f"<?xml version='1.0' encoding='UTF-8'?><servers>{''.join(entries)}</servers>"
    with web_server({"/list": Page(document.encode())}) as web:
        first, second = described(f"mumble+http://127.0.0.1:{web.port}/list")
    assert (first.target.address, first.target.protocol) == (Address("127.0.0.1", 64738), "mumble")
    assert (first.info.game, first.info.name, first.info.players, first.info.max_players) == (
        "mumble",
        "One & all",
        None,
        None,
    )
    assert (second.target.address, second.info.name) == (Address("127.0.0.1", 64739), "")


@pytest.mark.slow
def test_descriptions_are_limited() -> None:
    entries = [
        ddnet_entry(f"tw-0.6+udp://127.{n // 65536}.{n // 256 % 256}.{n % 256}:8303")
        for n in range(MAX_DESCRIPTIONS + 9)
    ]
    with web_server({"/list": Page(json.dumps({"servers": entries}).encode())}) as web:
        assert len(described(f"ddnet+http://127.0.0.1:{web.port}/list")) == MAX_DESCRIPTIONS


def test_masters_are_compared_by_location() -> None:
    one, other, again = (
        parse_master_source(f"luanti+https://example.net/{path}", games()) for path in ("list", "other", "list")
    )
    assert len({one, other, again}) == 2
