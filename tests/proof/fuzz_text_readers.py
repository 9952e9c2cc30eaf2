"""Readers of texts: names, addresses, links, filters, identities."""

import fuzz_samples as samples
import fuzz_texts
from fuzz_reader import FuzzedReader, shared_catalogue, shared_games, text_of, with_text

from browser_app.catalogue.filters.filter_parser import FilterError
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.engine.masters.master_kinds import parse_master_source
from browser_app.player.player_identities import (
    IdentityError,
    VanityNameError,
    parse_fingerprint,
    parse_name_pattern,
    parse_steam_id,
)
from browser_app.protocols.a2s.ns2_tags import parse_ns2_average_skill, parse_ns2_tags
from browser_app.protocols.address import parse_address
from browser_app.protocols.code_pages import parse_server_code_pages
from browser_app.protocols.coloured_text import COLOUR_DIALECTS, plain_text
from browser_app.protocols.effective_host import effective_host
from browser_app.protocols.list_link import format_list_link, parse_list_link
from browser_app.protocols.quake.xonotic_qcstatus import parse_qcstatus
from browser_app.protocols.server_code import find_code
from browser_app.protocols.server_link import parse_join_link, parse_server_text


def text_readers() -> dict[str, FuzzedReader]:
    links, identities = samples.LINKS, samples.IDENTITIES
    return {
        "coloured text": FuzzedReader(
            _all_dialects, (), (b"^1A^xf00b^7", b"\x1bcRGBx", "\ue041".encode()), fuzz_texts.COLOURED_TEXTS
        ),
        "NS2 tags": FuzzedReader(
            with_text(parse_ns2_tags), (), (b"A|344|ns2|14|80|0|1500|x|y", b"ns2,skill_1500"), fuzz_texts.NS2_TAGS
        ),
        "NS2 rules": FuzzedReader(
            lambda data: parse_ns2_average_skill(_pairs(data)),
            (),
            (b"AverageSkill\0nan", b"mods[1]\x001fa 2fb"),
            fuzz_texts.NS2_RULES,
        ),
        "qcstatus": FuzzedReader(
            with_text(parse_qcstatus), (), (samples.STATUS["qcstatus"].encode(),), fuzz_texts.QCSTATUS
        ),
        "address": FuzzedReader(
            with_text(parse_address),
            (ValueError,),
            (b"192.0.2.7:27015", b"[fe80::1%lo]:1", b"a.b:1"),
            fuzz_texts.ADDRESSES,
        ),
        "code pages": FuzzedReader(
            with_text(lambda text: parse_server_code_pages(tuple(text.splitlines()))),
            (ValueError,),
            (b"192.0.2.7:7777 1251\nexample.org:7777 Windows-1250", b"192.0.2.7:7777 UTF-8", b"192.0.2.7:7777 12"),
        ),
        "server code": FuzzedReader(
            with_text(lambda text: find_code(parse_address(text))),
            (ValueError,),
            (b"mfrgg.openra.code.invalid:1", b"a1.openra.code.invalid:1", b"77777777.openra.code.invalid:1"),
        ),
        "effective host": FuzzedReader(
            with_text(effective_host), (ValueError,), (b"192.0.2.7", b"2001:db8::7"), fuzz_texts.IP_ADDRESSES
        ),
        "server as pasted": FuzzedReader(with_text(parse_server_text), (ValueError,), links, fuzz_texts.SERVER_TEXTS),
        "link": FuzzedReader(with_text(parse_join_link), (ValueError,), links[3:4], fuzz_texts.JOIN_LINKS),
        "link to a list": FuzzedReader(
            with_text(lambda text: format_list_link(parse_list_link(text))),
            (ValueError,),
            (b"readyroom://list?server=a2s://192.0.2.7:27016/ns2/A&server=minecraft://a.b",),
            fuzz_texts.LIST_LINKS,
        ),
        "master's URL": FuzzedReader(with_text(_master), (ValueError,), samples.MASTER_URLS),
        "filter": FuzzedReader(_filter, (FilterError,), samples.FILTERS),
        "Steam id": FuzzedReader(with_text(parse_steam_id), (IdentityError, VanityNameError), identities),
        "fingerprint": FuzzedReader(with_text(parse_fingerprint), (IdentityError,), identities),
        "player's name": FuzzedReader(with_text(parse_name_pattern), (IdentityError,), identities),
    }


def _master(text: str) -> None:
    parse_master_source(text, shared_games())


def _pairs(data: bytes) -> dict[bytes, bytes]:
    words = data.split(b"\0")
    return dict(zip(words[::2], words[1::2], strict=False))


def _all_dialects(data: bytes) -> None:
    text = text_of(data)
    for dialect in COLOUR_DIALECTS:
        assert len(plain_text(text, dialect)) <= len(text)


def _filter(data: bytes) -> None:
    parse_filter(text_of(data)).matching_rows(shared_catalogue())
