"""Readers of what servers and masters send in datagrams."""

import random
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import fuzz_free_games_grammar
import fuzz_protocols
import fuzz_samples as samples
from fuzz_fields import BREAK, TOKENS
from fuzz_invariants import check_info
from fuzz_reader import FuzzedReader, merge_results, shared_games

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget
from browser_app.protocols.a2s import a2s_server
from browser_app.protocols.doom import doom_masters, doom_server, zandronum
from browser_app.protocols.doom.doom_server import encode_zandronum_reply
from browser_app.protocols.minecraft.java import parse_lan_announcement
from browser_app.protocols.openttd import game_info
from browser_app.protocols.quake import dpmaster_server, quake3_server, quakeworld_server
from browser_app.protocols.quake.dpmaster import parse_servers_packet
from browser_app.protocols.quake.quake_master_lists import QUAKE2_LIST, QUAKEWORLD_LIST, parse_address_list
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import DONE, PacketError, QueryParts
from browser_app.protocols.san_andreas import ase
from browser_app.protocols.teeworlds import teeworlds_server
from browser_app.protocols.teeworlds.teeworlds_master import TeeworldsMasterExchange


def server_readers(recorded: Sequence[Path]) -> dict[str, FuzzedReader]:
    found = {
        name: FuzzedReader(
            partial(_query_server, name), (), _exchanges(name, recorded), fuzz_protocols.GRAMMARS[name], share=12
        )
        for name, protocol in QUERY_PROTOCOLS.items()
        if not protocol.is_listed_only
    }
    return found | {
        "master's list": FuzzedReader(
            parse_servers_packet, (PacketError,), samples.master_packets(), fuzz_protocols.SERVER_LISTS
        ),
        "Teeworlds' master": FuzzedReader(
            _ask_teeworlds_master, (), samples.teeworlds_master_packets(), fuzz_protocols.TEEWORLDS_MASTER
        ),
        **{
            f"addresses of {name} servers": FuzzedReader(
                partial(parse_address_list, list_format=list_format),
                (PacketError,),
                (b"\xff\xff\xff\xff" + list_format.header + b"\n\xc0\0\2\7\x6b\x6c",),
                fuzz_protocols.ADDRESS_LISTS,
            )
            for name, list_format in (("QuakeWorld", QUAKEWORLD_LIST), ("Quake II", QUAKE2_LIST))
        },
        **{
            f"{name}'s master": FuzzedReader(parse, (PacketError,), (good,), fuzz_protocols.DOOM_LISTS)
            for name, parse, good in (
                ("Zandronum", doom_masters.parse_zandronum_list, b"\xff\6\0\0\0\0\x08\1\xc0\0\2\7\xaa\x29\0\2"),
                ("Odamex", doom_masters.parse_odamex_list, doom_masters.ODAMEX_LIST + b"\1\0\xc0\0\2\7\xaa\x29"),
                ("Chocolate Doom", doom_masters.parse_chocolate_list, b"\0\x03192.0.2.7:2342\0"),
            )
        },
        "master's requests": FuzzedReader(
            dpmaster_server.parse_master_request, (PacketError,), samples.requests(), fuzz_protocols.MASTER_REQUESTS
        ),
        "Minecraft worlds on the LAN": FuzzedReader(
            parse_lan_announcement,
            (PacketError,),
            (b"[MOTD]A world[/MOTD][AD]51234[/AD]",),
            fuzz_protocols.LAN_WORLDS,
        ),
        "servers of MTA on the LAN": FuzzedReader(
            ase.parse_lan_reply, (PacketError,), (b"MTA-SERVER 22003\0",), fuzz_free_games_grammar.LAN_MTA_SERVERS
        ),
        "servers of OpenTTD on the LAN": FuzzedReader(
            game_info.parse_lan_reply, (PacketError,), (b"\3\0\1",), fuzz_free_games_grammar.LAN_OPENTTD_SERVERS
        ),
        "servers of Zandronum on the LAN": FuzzedReader(
            zandronum.parse_lan_announcement,
            (PacketError,),
            (encode_zandronum_reply(zandronum.ZandronumReply("3.3", name="Cellar"), 0),),
            fuzz_protocols.LAN_ZANDRONUM_SERVERS,
        ),
        **{
            f"{name} requests": FuzzedReader(parse, (PacketError,), samples.requests(), fuzz_protocols.SERVER_REQUESTS)
            for name, parse in (
                ("A2S", a2s_server.parse_a2s_request),
                ("Quake III", quake3_server.parse_quake3_request),
                ("Teeworlds 0.6", teeworlds_server.parse_request_06),
                ("Teeworlds 0.7", teeworlds_server.parse_request_07),
                ("QuakeWorld and Quake II", quakeworld_server.parse_quakeworld_request),
                ("Zandronum", doom_server.parse_zandronum_request),
                ("Odamex", doom_server.parse_odamex_request),
            )
        },
    }


def _ask_teeworlds_master(data: bytes) -> None:
    exchange = TeeworldsMasterExchange(b"ownt")
    for datagram in data.split(BREAK):
        exchange.build_request()
        with suppress(PacketError):
            exchange.receive(datagram)


def _exchanges(protocol: str, recorded: Sequence[Path]) -> tuple[bytes, ...]:
    """Return good exchanges: encoded, recorded, or drawn from the grammar."""
    if protocol == "a2s":
        return samples.a2s_exchanges() + samples.recorded(recorded, "a2s")
    if protocol in ("quake3", "darkplaces", "fivem"):
        return samples.quake3_exchanges() + samples.recorded(recorded, "quake3")
    rng = random.Random(protocol)
    return tuple(b"".join(fuzz_protocols.GRAMMARS[protocol](rng)) for _ in range(50))


CODE_PAGES = ("", "cp932")
"""None, and one in which not all bytes are text, as the user may set."""


def _query_server(protocol: str, data: bytes) -> None:
    """All that is done with a server's datagrams, up to the row in the list."""
    parts = (QueryParts.INFO, QueryParts.ALL)[len(data) % 2]
    address = {3: samples.ON_LAN, 7: samples.V6}.get(len(data) % 8, samples.V4)
    session = QUERY_PROTOCOLS[protocol].new_session(parts, address)
    for token in TOKENS:
        session.build_request(token)
    is_probing = False
    for datagram in data.split(BREAK):
        if is_probing:
            session.is_probe_reply(datagram)
        try:
            step = session.receive(datagram)
        except PacketError:
            continue
        if isinstance(step, bytes):
            session.build_request(TOKENS[1])  # its reply is lost, too
        elif step is DONE and not session.request_more(QueryParts.ALL):
            session.build_ping_probe()
            is_probing = True
    while session.has_more and session.skip_current_part():
        session.build_request(TOKENS[0])
    reply = session.reply
    if reply is not None:
        target = QueryTarget(address, protocol, None)
        facts = read_reply(reply, target._replace(code_page=CODE_PAGES[len(data) // 2 % 2]), shared_games())
        check_info(facts)
        merge_results(QueryResult(target, QueryStatus.OK, facts, None, 50.0, False, 1, 1_700_000_000.0))
