"""Every reader of what strangers write, and the only errors it may raise."""

import math
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from io import BufferedReader, BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any

import fuzz_cube2_grammar
import fuzz_free_games_grammar
import fuzz_gamespy_grammar
import fuzz_http_grammar
import fuzz_protocols
import fuzz_samples as samples
import fuzz_texts
from fuzz_fields import BREAK, TOKENS
from fuzz_grammar import Grammar, split_samples
from fuzz_invariants import check_info
from fuzz_mutation import new_case

from browser_app.bridge import single_instance
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.filter_parser import FilterError
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.catalogue.reply_readers.server_info_readers import server_info_from_reply
from browser_app.catalogue.server_info import DescribedServer, QueryResult, QueryStatus, QueryTarget
from browser_app.diagnostics import internal_errors
from browser_app.engine.masters.described_lists import LIST_FORMATS, ListReader
from browser_app.engine.masters.master_kinds import parse_master_source
from browser_app.engine.masters.tcp_lists import TCP_LIST_KINDS
from browser_app.games import load_games
from browser_app.games.game_registry import GameRegistry
from browser_app.games.profile_reader import read_profile
from browser_app.games.toml_reader import ProfileError, TOMLError, parse_toml
from browser_app.paths import resource_folder
from browser_app.player import steam_web_api, xonstat_web_api
from browser_app.player.player_identities import (
    IdentityError,
    VanityNameError,
    parse_fingerprint,
    parse_name_pattern,
    parse_steam_id,
)
from browser_app.player.rate_limited_fetcher import SkillSourceError
from browser_app.player.xonotic_keys import find_fingerprints
from browser_app.protocols.a2s import a2s_server
from browser_app.protocols.a2s.ns2_tags import parse_ns2_average_skill, parse_ns2_tags
from browser_app.protocols.address import parse_address
from browser_app.protocols.coloured_text import COLOUR_DIALECTS, plain_text
from browser_app.protocols.doom import doom_masters, doom_server
from browser_app.protocols.effective_host import effective_host
from browser_app.protocols.gamespy import gamespy_master
from browser_app.protocols.json_parser import json_line_numbers
from browser_app.protocols.list_link import format_list_link, parse_list_link
from browser_app.protocols.lists import steam_server_list
from browser_app.protocols.lists.community_list import ServerListError, ServerListReader, parse_server_list
from browser_app.protocols.lists.described_list import DescribedListError
from browser_app.protocols.lists.json_list_reader import split_chunks
from browser_app.protocols.minecraft.java import parse_lan_announcement
from browser_app.protocols.quake import dpmaster_server, quake3_server, quakeworld_server
from browser_app.protocols.quake.address_lists import QUAKE2_LIST, QUAKEWORLD_LIST, parse_address_list
from browser_app.protocols.quake.dpmaster import parse_servers_packet
from browser_app.protocols.quake.xonotic_qcstatus import parse_qcstatus
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import DONE, PacketError, QueryParts
from browser_app.protocols.release_page import newest_release
from browser_app.protocols.server_code import find_code
from browser_app.protocols.server_link import parse_join_link, parse_server_text
from browser_app.protocols.teeworlds import teeworlds_server
from browser_app.protocols.teeworlds.teeworlds_master import TeeworldsMasterExchange
from browser_app.rating.forward_pass import ForwardPass
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system
from browser_app.rounds.csv_rounds import guess_columns, read_table_preview
from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_formats import ROUND_FORMATS
from browser_app.rounds.round_identity import is_same_round, report_from_object
from browser_app.rounds.round_reader import read_source_rounds, stream_objects
from browser_app.rounds.round_source import RoundFileSource
from browser_app.storage.importers.imported_server import ServerListKind, UnreadableListError
from browser_app.storage.importers.luanti_favourites import parse_luanti_json, parse_luanti_text
from browser_app.storage.importers.minecraft_servers import parse_minecraft_servers
from browser_app.storage.importers.ns2_server_lists import parse_ns2_list
from browser_app.storage.importers.quake_favourites import parse_darkplaces_favourites, parse_ioquake3_cache
from browser_app.storage.importers.san_andreas_favourites import parse_mta_favourites, parse_samp_favourites
from browser_app.storage.importers.steam_server_browser import parse_steam_server_browser
from browser_app.storage.importers.teeworlds_favourites import parse_teeworlds_favourites
from browser_app.storage.lists.lists_file import ListsFileError, parse_lists
from browser_app.storage.settings_store import Settings, SettingsFile

Read = Callable[[bytes], object]


@dataclass(frozen=True)
class Reader:
    """One reader: what it reads, what it may raise, and good input."""

    read: Read
    errors: tuple[type[Exception], ...]
    seeds: tuple[bytes, ...]
    grammar: Grammar | None = None
    """Builds input; without one, that is done from the fields of the samples."""
    share: int = 4
    """How many cases it gets beside the others; few where a case is a file."""

    def new_case(self, rng: random.Random) -> bytes:
        """Input that is good or almost good."""
        return new_case(self.seeds, self.grammar or split_samples(self.seeds), rng)

    def refuses(self, data: bytes) -> bool:
        """Whether it takes these bytes for bad; raises what it must not raise."""
        try:
            self.read(data)
        except self.errors:
            return True
        if counts := internal_errors.counts():
            internal_errors.clear()
            raise AssertionError(counts)
        return False


class HeldSource(RoundFileSource):
    """A file that is nowhere but in memory."""

    def __init__(self, content: bytes, name: str = "file") -> None:
        super().__init__(name)
        object.__setattr__(self, "content", content)

    content: bytes
    modified_at = 1_700_000_000.0
    size = 0

    def _open_raw(self) -> BufferedReader:
        return BufferedReader(BytesIO(self.content))


def readers(recorded: Sequence[Path] = ()) -> Mapping[str, Reader]:
    """Return all readers by name.

    `recorded` are folders of recorded data, which add to the good input.
    """
    return {**_of_servers(recorded), **_of_texts(), **_of_lists(), **_of_rounds(recorded), **_of_the_users_files()}


def _of_servers(recorded: Sequence[Path]) -> dict[str, Reader]:
    found = {
        name: Reader(partial(_converse, name), (), _exchanges(name, recorded), fuzz_protocols.GRAMMARS[name], share=12)
        for name, protocol in QUERY_PROTOCOLS.items()
        if not protocol.is_listed_only
    }
    return found | {
        "master's list": Reader(
            parse_servers_packet, (PacketError,), samples.master_packets(), fuzz_protocols.SERVER_LISTS
        ),
        "Teeworlds' master": Reader(
            _ask_teeworlds_master, (), samples.teeworlds_master_packets(), fuzz_protocols.TEEWORLDS_MASTER
        ),
        **{
            f"addresses of {name} servers": Reader(
                partial(parse_address_list, list_format=list_format),
                (PacketError,),
                (b"\xff\xff\xff\xff" + list_format.header + b"\n\xc0\0\2\7\x6b\x6c",),
                fuzz_protocols.ADDRESS_LISTS,
            )
            for name, list_format in (("QuakeWorld", QUAKEWORLD_LIST), ("Quake II", QUAKE2_LIST))
        },
        **{
            f"{name}'s master": Reader(parse, (PacketError,), (good,), fuzz_protocols.DOOM_LISTS)
            for name, parse, good in (
                ("Zandronum", doom_masters.parse_zandronum_list, b"\xff\6\0\0\0\0\x08\1\xc0\0\2\7\xaa\x29\0\2"),
                ("Odamex", doom_masters.parse_odamex_list, doom_masters.ODAMEX_LIST + b"\1\0\xc0\0\2\7\xaa\x29"),
                ("Chocolate Doom", doom_masters.parse_chocolate_list, b"\0\x03192.0.2.7:2342\0"),
            )
        },
        "master's requests": Reader(
            dpmaster_server.parse_master_request, (PacketError,), samples.requests(), fuzz_protocols.MASTER_REQUESTS
        ),
        "Minecraft worlds on the LAN": Reader(
            parse_lan_announcement,
            (PacketError,),
            (b"[MOTD]A world[/MOTD][AD]51234[/AD]",),
            fuzz_protocols.LAN_WORLDS,
        ),
        **{
            f"{name} requests": Reader(parse, (PacketError,), samples.requests(), fuzz_protocols.SERVER_REQUESTS)
            for name, parse in (
                ("A2S", a2s_server.parse_a2s_request),
                ("Quake III", quake3_server.parse_quake3_request),
                ("Teeworlds 0.6", teeworlds_server.parse_request_06),
                ("Teeworlds 0.7", teeworlds_server.parse_request_07),
                ("QuakeWorld and Quake II", quakeworld_server.parse_early_request),
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
    """Return good exchanges.

    For protocols without an encoder or recordings, those of the grammar.
    """
    if protocol == "a2s":
        return samples.a2s_exchanges() + samples.recorded(recorded, "a2s")
    if protocol in ("quake3", "darkplaces", "fivem"):
        return samples.quake3_exchanges() + samples.recorded(recorded, "quake3")
    rng = random.Random(protocol)
    return tuple(b"".join(fuzz_protocols.GRAMMARS[protocol](rng)) for _ in range(50))


def _of_texts() -> dict[str, Reader]:
    links, identities = samples.LINKS, samples.IDENTITIES
    return {
        "coloured text": Reader(
            _all_dialects, (), (b"^1A^xf00b^7", b"\x1bcRGBx", "\ue041".encode()), fuzz_texts.COLOURED_TEXTS
        ),
        "NS2 tags": Reader(
            _with_text(parse_ns2_tags), (), (b"A|344|ns2|14|80|0|1500|x|y", b"ns2,skill_1500"), fuzz_texts.NS2_TAGS
        ),
        "NS2 rules": Reader(
            lambda data: parse_ns2_average_skill(_pairs(data)),
            (),
            (b"AverageSkill\0nan", b"mods[1]\x001fa 2fb"),
            fuzz_texts.NS2_RULES,
        ),
        "qcstatus": Reader(_with_text(parse_qcstatus), (), (samples.STATUS["qcstatus"].encode(),), fuzz_texts.QCSTATUS),
        "address": Reader(
            _with_text(parse_address),
            (ValueError,),
            (b"192.0.2.7:27015", b"[fe80::1%lo]:1", b"a.b:1"),
            fuzz_texts.ADDRESSES,
        ),
        "server code": Reader(
            _with_text(lambda text: find_code(parse_address(text))),
            (ValueError,),
            (b"mfrgg.openra.code.invalid:1", b"a1.openra.code.invalid:1", b"77777777.openra.code.invalid:1"),
        ),
        "effective host": Reader(
            _with_text(effective_host), (ValueError,), (b"192.0.2.7", b"2001:db8::7"), fuzz_texts.IP_ADDRESSES
        ),
        "server as pasted": Reader(_with_text(parse_server_text), (ValueError,), links, fuzz_texts.SERVER_TEXTS),
        "link": Reader(_with_text(parse_join_link), (ValueError,), links[3:4], fuzz_texts.JOIN_LINKS),
        "link to a list": Reader(
            _with_text(lambda text: format_list_link(parse_list_link(text))),
            (ValueError,),
            (b"readyroom://list?server=a2s://192.0.2.7:27016/ns2/A&server=minecraft://a.b",),
            fuzz_texts.LIST_LINKS,
        ),
        "master's URL": Reader(_with_text(_master), (ValueError,), samples.MASTER_URLS),
        "filter": Reader(_filter, (FilterError,), samples.FILTERS),
        "Steam id": Reader(_with_text(parse_steam_id), (IdentityError, VanityNameError), identities),
        "fingerprint": Reader(_with_text(parse_fingerprint), (IdentityError,), identities),
        "player's name": Reader(_with_text(parse_name_pattern), (IdentityError,), identities),
    }


def _steam_list(data: bytes) -> object:
    return list(steam_server_list.parse_steam_servers(split_chunks(data)))


def _described_list(read: ListReader, data: bytes) -> object:
    described = list(read(split_chunks(data), _games()))
    infos = [(each.target, each.info) for each in described if isinstance(each, DescribedServer)]
    for _target, info in infos:
        check_info(info)
    _merge(
        *(QueryResult(target, QueryStatus.OK, info, None, 50.0, False, 1, 1_700_000_000.0) for target, info in infos)
    )
    return described


def _gamespy_list(data: bytes) -> object:
    greeting, _, rest = data.partition(BREAK)
    challenge = gamespy_master.find_challenge(greeting)
    if challenge is not None:
        gamespy_master.build_list_request(challenge, "ut")
    return list(gamespy_master.parse_gamespy_list(split_chunks(rest)))


def _line_numbers(data: bytes) -> object:
    return json_line_numbers(data, [("response",), ("response", "servers", 0, "addr"), ("response", "success", 1)])


def _newer_list(data: bytes) -> object:
    return list(ServerListReader(split_chunks(data)))


def _of_lists() -> dict[str, Reader]:
    steam, player = samples.steam_lists(), samples.player_answers()
    account = "76561197960265729"
    grammars = {**fuzz_texts.DESCRIBED_LISTS, **fuzz_http_grammar.HTTP_LISTS, "mta": fuzz_protocols.MTA_LISTS}
    grammars["assaultcube"] = fuzz_cube2_grammar.CUBE_LISTS
    grammars["bzflag"] = fuzz_free_games_grammar.BZFLAG_LISTS
    grammars["supertuxkart"] = fuzz_free_games_grammar.SUPERTUXKART_LISTS
    grammars["quake2"] = fuzz_protocols.WEB_ADDRESS_LISTS
    return {
        "Steam's list": Reader(_steam_list, (steam_server_list.SteamListError,), steam[:2], fuzz_texts.STEAM_LISTS),
        "community's list": Reader(parse_server_list, (ServerListError,), steam[2:], fuzz_texts.COMMUNITY_LISTS),
        "list of a newer program": Reader(_newer_list, (ServerListError,), steam[2:], fuzz_texts.COMMUNITY_LISTS),
        **{
            f"{form.name} list": Reader(
                partial(_described_list, form.read),
                (DescribedListError,),
                samples.described_lists(form.name),
                grammars[form.name],
            )
            for form in LIST_FORMATS
        },
        **{
            f"{kind.name} list over TCP": Reader(
                partial(_described_list, kind.read),
                (DescribedListError,),
                samples.described_lists("openttd" if kind.name == "openttd" else "assaultcube"),
                fuzz_free_games_grammar.OPENTTD_LISTS if kind.name == "openttd" else fuzz_cube2_grammar.CUBE_LISTS,
            )
            for kind in TCP_LIST_KINDS
        },
        "GameSpy's list over TCP": Reader(
            _gamespy_list,
            (DescribedListError,),
            (b"\\basic\\\\secure\\ABCDEF" + BREAK + b"\\ip\\192.0.2.7:7778\\final\\",),
            fuzz_gamespy_grammar.GAMESPY_LISTS,
        ),
        "Steam's user stats": Reader(partial(_steam_skill, account=account), (SkillSourceError,), player[:1]),
        "Steam's vanity names": Reader(steam_web_api.parse_vanity_reply, (SkillSourceError,), player[1:2]),
        "XonStat's skill": Reader(xonstat_web_api.parse_xonstat_skill, (SkillSourceError,), player[2:3]),
        "XonStat's games": Reader(xonstat_web_api.parse_recent_games, (SkillSourceError,), player[3:]),
        "lines in JSON": Reader(_line_numbers, (ValueError, IndexError, RecursionError), steam, fuzz_texts.STEAM_LISTS),
        "page of releases": Reader(
            newest_release, (), (b"0.2.1", b'[{"tag_name": "v0.2", "draft": false}, "0.3"]'), fuzz_texts.RELEASE_PAGES
        ),
        "second start": Reader(
            single_instance._parse_request,
            (),
            (samples.as_json({"ready-room-open": ["readyroom://join"], "token": "x"}),),
        ),
    }


def _of_rounds(recorded: Sequence[Path]) -> dict[str, Reader]:
    good = {
        "rounds": samples.as_json(samples.ROUND) + b"\n" + samples.as_json({**samples.ROUND, "id": "r2"}),
        "ns2plus": samples.as_json(samples.SAVESTATS),
        "ns2-match-end": samples.as_json(samples.MATCH_END),
        "wonitor": samples.WONITOR,
        "xonstat": samples.REPORT,
        "xonotic-log": samples.EVENT_LOG,
        "csv": samples.TABLE,
    }
    found = {
        f"rounds: {form}": Reader(partial(_rounds, form=form), (RoundFileError,), (good[form],), share=3)
        for form in ROUND_FORMATS
    }
    any_form = (*good.values(), *map(samples.packed, good.values()))
    any_form += samples.recorded_rounds(recorded)
    return found | {
        "rounds: recognised": Reader(partial(_rounds, form=None), (RoundFileError,), any_form, share=3),
        "rounds: rated": Reader(
            _rated, (RoundFileError, InvalidRoundError), (good["rounds"], good["xonotic-log"]), share=1
        ),
        "rounds: told twice": Reader(_told_twice, (RoundFileError,), any_form, share=3),
        "table's columns": Reader(_columns, (RoundFileError,), (samples.TABLE, b"round no,who,side\n1,ann,a\n")),
    }


def _of_the_users_files() -> dict[str, Reader]:
    lists = samples.as_json(samples.LISTS)
    ns2 = (b'{"192.0.2.7:27015": true}', b'[{"address": "192.0.2.7:27015", "lastConnect": 1.5, "name": "A"}]')
    profile = next(iter(sorted((resource_folder() / "games").glob("*.toml")))).read_bytes()
    config = b'seta "net_slist_favorites" "192.0.2.7:26000 [::1]:1 abc"\n'
    keys = b"ID-Fingerprint: abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO12=\n"
    return {
        "exchanged lists": Reader(lambda data: parse_lists(data, 1.0), (ListsFileError,), (lists,)),
        "Steam's browser": Reader(parse_steam_server_browser, (UnreadableListError,), (samples.VDF,)),
        "NS2's lists": Reader(lambda data: parse_ns2_list(data, ServerListKind.PLAYED), (UnreadableListError,), ns2),
        "DarkPlaces' config": Reader(parse_darkplaces_favourites, (), (config,)),
        "ioquake3's cache": Reader(parse_ioquake3_cache, (UnreadableListError,), (samples.ioquake3_cache(),), share=1),
        **{
            name: Reader(read, (UnreadableListError,), (samples.GAME_FAVOURITES[name],))
            for name, read in (
                ("Minecraft's servers", parse_minecraft_servers),
                ("SA-MP's favourites", parse_samp_favourites),
                ("Multi Theft Auto's favourites", parse_mta_favourites),
                ("Teeworlds' favourites", parse_teeworlds_favourites),
                ("Luanti's favourites", parse_luanti_json),
                ("Luanti's old favourites", parse_luanti_text),
            )
        },
        "TOML": Reader(parse_toml, (TOMLError,), (samples.SETTINGS, profile)),
        "settings": Reader(_in_file("settings.toml", _settings), (), (samples.SETTINGS,), share=1),
        "game's profile": Reader(_in_file("game.toml", read_profile), (ProfileError,), (profile,), share=1),
        "Xonotic's key": Reader(_in_file("key_0-public-fp.txt", _fingerprints), (), (keys,), share=1),
    }


@cache
def _games() -> GameRegistry:
    return load_games(resource_folder() / "games")


@cache
def _catalogue() -> Catalogue:
    return Catalogue(_games())


def _converse(protocol: str, data: bytes) -> None:
    """All that is done with a server's datagrams, up to the row in the list."""
    parts = (QueryParts.INFO, QueryParts.ALL)[len(data) % 2]
    session = QUERY_PROTOCOLS[protocol].new_session(parts, samples.V6 if len(data) % 8 == 7 else samples.V4)
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
            session.rtt_probe()
            is_probing = True
    while session.has_more and session.skip_current_part():
        session.build_request(TOKENS[0])
    reply = session.reply
    if reply is not None:
        target = QueryTarget(samples.V4, protocol, None)
        facts = server_info_from_reply(reply, target, _games())
        check_info(facts)
        _merge(QueryResult(target, QueryStatus.OK, facts, None, 50.0, False, 1, 1_700_000_000.0))


def _merge(*results: QueryResult) -> None:
    catalogue = _catalogue()
    catalogue.merge(results)
    catalogue.rescore()


def _text(data: bytes) -> str:
    """Return text that may hold lone surrogates, which UTF-8 cannot encode.

    They come from the command line and from JSON.
    """
    return data.decode("utf-8", "surrogateescape")


def _with_text(read: Callable[[str], object]) -> Read:
    return lambda data: read(_text(data))


def _master(text: str) -> None:
    parse_master_source(text, _games())


def _steam_skill(data: bytes, account: str) -> None:
    steam_web_api.parse_steam_skill(data, account)


def _pairs(data: bytes) -> dict[bytes, bytes]:
    words = data.split(b"\0")
    return dict(zip(words[::2], words[1::2], strict=False))


def _all_dialects(data: bytes) -> None:
    text = _text(data)
    for dialect in COLOUR_DIALECTS:
        assert len(plain_text(text, dialect)) <= len(text)


def _filter(data: bytes) -> None:
    parse_filter(_text(data)).matching_rows(_catalogue())


def _rounds(data: bytes, form: str | None) -> None:
    _drain(stream_objects(HeldSource(data), form))


def _rated(data: bytes) -> None:
    """By every system, forward, with all that is said of each round."""
    record = build_record([match for _, match in read_source_rounds(HeldSource(data))])
    for name in RATING_SYSTEMS:
        for step in ForwardPass(create_rating_system(name).new_run(record)).rate_rounds(len(record)):
            assert all(0 <= chance <= 1 for chance in step.prediction.first_place)
            assert all(math.isfinite(rating.value) for rating in step.after)


def _told_twice(data: bytes) -> None:
    told = [report_from_object(each) for _, each in stream_objects(HeldSource(data))]
    assert all(is_same_round(one, other) == is_same_round(other, one) for one, other in combinations(told[:5], 2))


def _columns(data: bytes) -> None:
    head = read_table_preview(HeldSource(data))
    if head is not None:
        assert set(guess_columns(head.columns).values()) <= set(head.columns)


def _drain(rounds: Iterator[Any]) -> None:
    for _ in rounds:
        pass


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="ready-room-fuzz-")


def _in_file(name: str, read: Callable[[Path], object]) -> Read:
    """A reader that wants a path."""

    def read_file(data: bytes) -> None:
        path = Path(_folder().name) / name
        path.write_bytes(data)
        read(path)

    return read_file


def _settings(path: Path) -> None:
    Settings(path.parent)
    SettingsFile(path).format_location("scan.pace")


def _fingerprints(path: Path) -> Sequence[object]:
    return find_fingerprints([path.parent])
