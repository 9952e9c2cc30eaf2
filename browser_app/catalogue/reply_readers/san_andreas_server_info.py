"""Readers of replies and lists of SA-MP, open.mp, VC:MP and Multi Theft Auto."""

from collections.abc import Iterable, Iterator
from functools import partial

from browser_app.catalogue.places.languages import language_codes
from browser_app.catalogue.reply_readers.reply_fields import (
    describe_server,
    find_coloured_name,
    find_mode_name,
    find_profile,
    guess_game_port,
)
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import DescribedServer, PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import ListedReply
from browser_app.protocols.query_protocols import ASE, SAMP, VCMP
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.san_andreas.ase import QUERY_PORT_OFFSET, AsePlayer, AseReply
from browser_app.protocols.san_andreas.mta_list import parse_mta_list
from browser_app.protocols.san_andreas.samp import SampReply, decode_samp_text
from browser_app.protocols.san_andreas.samp_lists import parse_openmp_list, parse_vcmp_list

_SAMP_DIALECT = "braces"
_MTA_DIALECT = "hash"
_NO_MAP = "None"
"""Sent by Multi Theft Auto's servers without a map."""


def read_samp_reply(reply: SampReply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a reply of SA-MP, open.mp or VC:MP.

    Bots are not counted, neither as players nor as slots, and there are no spectators. The map is free text
    of the server, known with the rules only.
    """
    decode = partial(decode_samp_text, code_page=target.code_page)
    rules = {decode(key): decode(value) for key, value in (reply.rules or {}).items()}
    sent_name, sent_language = decode(reply.name), decode(reply.language)
    version = decode(reply.version) or rules.get("version", "")
    profile = find_profile(games, target, {"version": version, "language": sent_language})
    name, language = clean_text(sent_name, _SAMP_DIALECT), clean_text(sent_language)
    mode = clean_text(decode(reply.mode), _SAMP_DIALECT) or None
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(rules.get("mapname", ""), _SAMP_DIALECT),
        connect=target.address,
        players=reply.players,
        bots=None,
        spectators=None,
        max_players=reply.max_players or None,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=clean_text(version) or None,
        password=reply.password,
        tags=(language,) if language not in ("", "-") else (),
        language=language_codes(language),
        coloured_name=find_coloured_name(sent_name, name),
        player_list=None
        if reply.player_list is None or not parts & QueryParts.PLAYERS
        else tuple(
            PlayerInfo(
                clean_text(decode(each.name)),
                None if each.score is None else float(each.score),
                None,
                None,
                None,
                None,
            )
            for each in reply.player_list
        ),
        rules=PlainRules(rules) if reply.rules is not None and parts & QueryParts.RULES else None,
    )


def read_ase_reply(reply: AseReply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a reply by the All-Seeing Eye's protocol.

    Players and slots are those of humans; bots and spectators are not reported. `languages` is one of the rules that
    the game's own browser shows (https://wiki.multitheftauto.com/wiki/Server_Browser_Rules).
    """
    profile = find_profile(games, target, {"game": reply.game})
    name = clean_text(reply.name, _MTA_DIALECT)
    mode = clean_text(reply.mode, _MTA_DIALECT) or None
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map="" if reply.map == _NO_MAP else clean_text(reply.map, _MTA_DIALECT),
        connect=Address(target.address.host, reply.game_port or guess_game_port(target, profile)),
        players=reply.players,
        bots=None,
        spectators=None,
        max_players=reply.max_players or None,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=clean_text(reply.version) or None,
        password=reply.password,
        language=language_codes(clean_text(reply.rules.get("languages", ""))),
        coloured_name=find_coloured_name(reply.name, name),
        player_list=tuple(map(_player_info, reply.player_list)) if parts & QueryParts.PLAYERS else None,
        rules=PlainRules(reply.rules, _MTA_DIALECT) if parts & QueryParts.RULES else None,
    )


def _player_info(player: AsePlayer) -> PlayerInfo:
    minutes = _number(player.minutes)
    return PlayerInfo(
        clean_text(player.name, _MTA_DIALECT),
        _number(player.score),
        None if minutes is None else minutes * 60.0,
        _number(player.ping),
        None,
        None,
    )


def _number(text: str) -> float | None:
    """Return a number; many game modes put words in its place."""
    digits = text.removeprefix("-")
    return float(text) if 0 < len(digits) < 10 and digits.isascii() and digits.isdigit() else None


def read_openmp_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read open.mp's list; see `parse_openmp_list`."""
    return (describe_server(each, SAMP, read_samp_reply, games) for each in parse_openmp_list(chunks))


def read_mta_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read Multi Theft Auto's list; see `parse_mta_list`.

    Names of players are kept if the list has all of them.
    """
    for server in parse_mta_list(chunks):
        if server is None:
            yield None
            continue
        host, port = server.address
        listed = ListedReply(Address(host, port + QUERY_PORT_OFFSET), server.reply)
        has_players = len(server.reply.player_list) == server.reply.players
        parts = QueryParts.INFO | QueryParts.PLAYERS if has_players else QueryParts.INFO
        yield describe_server(listed, ASE, read_ase_reply, games, parts)


def read_vcmp_list(chunks: Iterable[bytes], _games: GameRegistry) -> Iterator[QueryTarget | None]:
    """Read VC:MP's list, which holds only addresses; see `parse_vcmp_list`."""
    for address in parse_vcmp_list(chunks):
        yield None if address is None else QueryTarget(address, VCMP, None)
