"""Every reader of what strangers write, and the only errors it may raise."""

import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from io import BufferedReader, BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any

import fuzz_samples as samples

from browser_app.bridge import one_instance
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Answer, Status, Target
from browser_app.catalogue.filter_language import parse_filter
from browser_app.catalogue.filter_parser import FilterError
from browser_app.catalogue.reading import read_reply
from browser_app.engine.sources import parse_master
from browser_app.games import load_games
from browser_app.games.games import Games
from browser_app.games.read_profile import read_profile
from browser_app.games.toml_lines import TOMLError, read_toml
from browser_app.games.toml_table import ProfileError
from browser_app.paths import resources
from browser_app.player import steam_user_stats, steam_vanity, xonstat_games, xonstat_skill
from browser_app.player.asking import SourceError
from browser_app.player.identities import IdentityError, VanityName, read_fingerprint, read_name, read_steam_id
from browser_app.player.xonotic_key import find_fingerprints
from browser_app.protocols import QUERY_PROTOCOLS, a2s_server, dpmaster_server, quake3_server, steam_web
from browser_app.protocols.a2s import A2SReply
from browser_app.protocols.address import parse_address
from browser_app.protocols.coloured_text import DIALECTS, plain, spans
from browser_app.protocols.conversation import Refused, Want
from browser_app.protocols.dpmaster import read_servers
from browser_app.protocols.ns2 import read_rules, read_tags
from browser_app.protocols.qcstatus import read_qcstatus
from browser_app.protocols.quake3 import Quake3Reply
from browser_app.protocols.releases import newest_version
from browser_app.protocols.server_link import parse_join_link, parse_server_text
from browser_app.protocols.server_list import ListError, read_foreign_list, read_server_list
from browser_app.rating.errors import MatchError
from browser_app.rating.rate import Forward
from browser_app.rating.record_builder import record_of
from browser_app.rating.systems import SYSTEMS, rating_system
from browser_app.rounds.column_guesses import guessed
from browser_app.rounds.errors import RoundError
from browser_app.rounds.formats import FORMATS
from browser_app.rounds.reading import read_matches, stream_objects
from browser_app.rounds.same_round import is_same, telling_of
from browser_app.rounds.source import Source
from browser_app.rounds.table_head import head_of
from browser_app.storage.exchange import ExchangeError, read_lists
from browser_app.storage.foreign.darkplaces_config import read_darkplaces_config
from browser_app.storage.foreign.found import Keeping, Unreadable
from browser_app.storage.foreign.ioquake3_cache import read_ioquake3_cache
from browser_app.storage.foreign.ns2_lists import read_ns2_list
from browser_app.storage.foreign.steam_browser import read_steam_browser
from browser_app.storage.settings import Settings
from browser_app.storage.settings_file import SettingsFile

Read = Callable[[bytes], object]


@dataclass(frozen=True)
class Reader:
    """One reader: what it reads, what it may raise, and good input."""

    read: Read
    errors: tuple[type[Exception], ...]
    seeds: tuple[bytes, ...]
    share: int = 4
    """How many cases it gets beside the others; few where a case is a file."""

    def refuses(self, data: bytes) -> bool:
        """Whether it takes these bytes for bad; raises what it must not raise."""
        try:
            self.read(data)
        except self.errors:
            return True
        return False


class HeldSource(Source):
    """A file that is nowhere but in memory."""

    def __init__(self, content: bytes, name: str = "file") -> None:
        super().__init__(name)
        object.__setattr__(self, "content", content)

    content: bytes
    modified = 1_700_000_000.0
    size = 0

    def _raw(self) -> BufferedReader:
        return BufferedReader(BytesIO(self.content))


def readers(recorded: Path | None) -> Mapping[str, Reader]:
    """All of them by name; `recorded` is the folder of recorded data, which adds to the good input."""
    return {**_of_servers(recorded), **_of_texts(), **_of_lists(), **_of_rounds(recorded), **_of_the_users_files()}


def _of_servers(recorded: Path | None) -> dict[str, Reader]:
    a2s = samples.a2s_exchanges() + (samples.recorded(recorded, "a2s") if recorded else ())
    quake3 = samples.quake3_exchanges() + (samples.recorded(recorded, "quake3") if recorded else ())
    found = {
        name: Reader(partial(_converse, name), (), a2s if name == "a2s" else quake3, share=12)
        for name in QUERY_PROTOCOLS
    }
    return found | {
        "master's list": Reader(read_servers, (Refused,), samples.master_packets()),
        "master's requests": Reader(dpmaster_server.read_request, (Refused,), samples.requests()),
        "A2S requests": Reader(a2s_server.read_request, (Refused,), samples.requests()),
        "Quake III requests": Reader(quake3_server.read_request, (Refused,), samples.requests()),
    }


def _of_texts() -> dict[str, Reader]:
    links, identities = samples.LINKS, samples.IDENTITIES
    return {
        "coloured text": Reader(_all_dialects, (), (b"^1A^xf00b^7", b"\x1bcRGBx", "\ue041".encode())),
        "NS2 tags": Reader(_with_text(read_tags), (), (b"A|344|ns2|14|80|0|1500|x|y", b"ns2,skill_1500")),
        "NS2 rules": Reader(lambda data: read_rules(_pairs(data)), (), (b"AverageSkill\0nan", b"mods[1]\x001fa 2fb")),
        "qcstatus": Reader(_with_text(read_qcstatus), (), (samples.STATUS["qcstatus"].encode(),)),
        "address": Reader(_with_text(parse_address), (ValueError,), (b"192.0.2.7:27015", b"[fe80::1%lo]:1", b"a.b:1")),
        "server as pasted": Reader(_with_text(parse_server_text), (ValueError,), links),
        "link": Reader(_with_text(parse_join_link), (ValueError,), links[3:4]),
        "master's URL": Reader(_with_text(_master), (ValueError,), samples.MASTER_URLS),
        "filter": Reader(_filter, (FilterError,), samples.FILTERS),
        "Steam id": Reader(_with_text(read_steam_id), (IdentityError, VanityName), identities),
        "fingerprint": Reader(_with_text(read_fingerprint), (IdentityError,), identities),
        "player's name": Reader(_with_text(read_name), (IdentityError,), identities),
    }


def _of_lists() -> dict[str, Reader]:
    steam, player = samples.steam_lists(), samples.player_answers()
    account = "76561197960265729"
    return {
        "Steam's list": Reader(steam_web.read_server_list, (ValueError,), steam[:2]),
        "community's list": Reader(read_server_list, (ListError,), steam[2:]),
        "list of a newer program": Reader(read_foreign_list, (ListError,), steam[2:]),
        "Steam's user stats": Reader(partial(_steam_skill, account=account), (SourceError,), player[:1]),
        "Steam's vanity names": Reader(steam_vanity.read_whose, (SourceError,), player[1:2]),
        "XonStat's skill": Reader(xonstat_skill.read_skill, (SourceError,), player[2:3]),
        "XonStat's games": Reader(xonstat_games.read_games, (SourceError,), player[3:]),
        "page of releases": Reader(newest_version, (), (b"0.2.1", b'[{"tag_name": "v0.2", "draft": false}, "0.3"]')),
        "second start": Reader(
            one_instance._understood, (), (samples.as_json({"ready-room-open": ["readyroom://join"], "token": "x"}),)
        ),
    }


def _of_rounds(recorded: Path | None) -> dict[str, Reader]:
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
        f"rounds: {form}": Reader(partial(_rounds, form=form), (RoundError,), (good[form],), share=3)
        for form in FORMATS
    }
    any_form = (*good.values(), *map(samples.packed, good.values()))
    any_form += samples.recorded_rounds(recorded) if recorded else ()
    return found | {
        "rounds: recognised": Reader(partial(_rounds, form=None), (RoundError,), any_form, share=3),
        "rounds: rated": Reader(_rated, (RoundError, MatchError), (good["rounds"], good["xonotic-log"]), share=1),
        "rounds: told twice": Reader(_told_twice, (RoundError,), any_form, share=3),
        "table's columns": Reader(_columns, (RoundError,), (samples.TABLE, b"round no,who,side\n1,ann,a\n")),
    }


def _of_the_users_files() -> dict[str, Reader]:
    lists = samples.as_json(samples.LISTS)
    ns2 = (b'{"192.0.2.7:27015": true}', b'[{"address": "192.0.2.7:27015", "lastConnect": 1.5, "name": "A"}]')
    profile = next(iter(sorted((resources() / "games").glob("*.toml")))).read_bytes()
    config = b'seta "net_slist_favorites" "192.0.2.7:26000 [::1]:1 abc"\n'
    keys = b"ID-Fingerprint: abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO12=\n"
    return {
        "exchanged lists": Reader(lambda data: read_lists(data, 1.0), (ExchangeError,), (lists,)),
        "Steam's browser": Reader(read_steam_browser, (Unreadable,), (samples.VDF,)),
        "NS2's lists": Reader(lambda data: read_ns2_list(data, Keeping.PLAYED), (Unreadable,), ns2),
        "DarkPlaces' config": Reader(read_darkplaces_config, (), (config,)),
        "ioquake3's cache": Reader(read_ioquake3_cache, (Unreadable,), (samples.ioquake3_cache(),), share=1),
        "TOML": Reader(read_toml, (TOMLError,), (samples.SETTINGS, profile)),
        "settings": Reader(_in_file("settings.toml", _settings), (), (samples.SETTINGS,), share=1),
        "game's profile": Reader(_in_file("game.toml", read_profile), (ProfileError,), (profile,), share=1),
        "Xonotic's key": Reader(_in_file("key_0-public-fp.txt", _fingerprints), (), (keys,), share=1),
    }


@cache
def _games() -> Games:
    return load_games(resources() / "games")


@cache
def _catalogue() -> Catalogue:
    return Catalogue(_games())


def _converse(protocol: str, data: bytes) -> None:
    """All that is done with a server's datagrams, up to the row in the list."""
    conversation = QUERY_PROTOCOLS[protocol].converse(Want.ALL)
    conversation.request(b"token000")
    for datagram in data.split(samples.BREAK):
        try:
            conversation.receive(datagram)
            conversation.confirms(datagram)
        except Refused:
            continue
    conversation.give_up()
    reply = conversation.reply
    if isinstance(reply, A2SReply | Quake3Reply):
        target = Target(samples.V4, protocol, None)
        facts = read_reply(reply, target, _games())
        catalogue = _catalogue()
        catalogue.merge([Answer(target, Status.OK, facts, None, 50.0, False, 1, 1_700_000_000.0)])
        catalogue.rescore()


def _text(data: bytes) -> str:
    """Also what no UTF-8 can say: lone surrogates come from the command line and from JSON."""
    return data.decode("utf-8", "surrogateescape")


def _with_text(read: Callable[[str], object]) -> Read:
    return lambda data: read(_text(data))


def _master(text: str) -> None:
    parse_master(text, _games())


def _steam_skill(data: bytes, account: str) -> None:
    steam_user_stats.read_skill(data, account)


def _pairs(data: bytes) -> dict[bytes, bytes]:
    words = data.split(b"\0")
    return dict(zip(words[::2], words[1::2], strict=False))


def _all_dialects(data: bytes) -> None:
    text = _text(data)
    for dialect in DIALECTS:
        assert "".join(span.text for span in spans(text, dialect)) == plain(text, dialect)


def _filter(data: bytes) -> None:
    parse_filter(_text(data)).mask(_catalogue())


def _rounds(data: bytes, form: str | None) -> None:
    _drain(stream_objects(HeldSource(data), form))


def _rated(data: bytes) -> None:
    """By every system, forward, with all that is said of each round."""
    record = record_of([match for _, match in read_matches(HeldSource(data))])
    for name in SYSTEMS:
        for step in Forward(rating_system(name).start(record)).steps(len(record)):
            assert all(0 <= chance <= 1 for chance in step.prediction.first)
            assert all(math.isfinite(rating.value) for rating in step.after)


def _told_twice(data: bytes) -> None:
    told = [telling_of(each) for _, each in stream_objects(HeldSource(data))]
    assert all(is_same(one, other) == is_same(other, one) for one, other in combinations(told[:5], 2))


def _columns(data: bytes) -> None:
    head = head_of(HeldSource(data))
    if head is not None:
        assert set(guessed(head.columns).values()) <= set(head.columns)


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
    SettingsFile(path).where("scan.pace")


def _fingerprints(path: Path) -> Sequence[object]:
    return find_fingerprints([path.parent])
