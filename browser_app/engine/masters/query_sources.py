"""Games, master servers and servers that the user wants to query."""

from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.lan_discovery import create_lan_master
from browser_app.engine.masters.master_kinds import parse_master_source
from browser_app.engine.masters.master_source import MasterSource
from browser_app.engine.network.address_rules import is_valid_server_address
from browser_app.engine.network.host_resolver import is_ip_address
from browser_app.engine.network.url_redaction import redact_url
from browser_app.games.game_registry import GameRegistry
from browser_app.language import gettext as _
from browser_app.protocols.address import printable_text, shorten
from browser_app.protocols.server_url import parse_server_url


@dataclass(frozen=True, slots=True)
class QuerySources:
    """Masters and servers to query, without duplicates."""

    masters: tuple[MasterSource, ...] = ()
    servers: tuple[QueryTarget, ...] = ()
    """Servers given by the user; hosts may be names."""


def parse_sources(
    games: GameRegistry,
    *,
    game_ids: Collection[str] = (),
    masters: Iterable[str] = (),
    servers: Iterable[str] = (),
    lan: bool = False,
    own_games: Iterable[str] = (),
    skipped_urls: Container[str] = (),
) -> QuerySources:
    """Parse the sources given by the command line or the settings.

    The local network is searched for `game_ids` and `own_games` beyond the usual ports. Masters whose URLs, with keys
    redacted, are in `skipped_urls` are not parsed.

    Raises:
        ValueError: a source is invalid; the text names it and the reason, and never contains a key.
    """
    found: dict[str, MasterSource] = {}
    for url, source in _iterate_masters(games, game_ids, masters, skipped_urls):
        known = found.setdefault(url, source)
        if known != source:  # which game a server runs is then only known from its reply
            found[url] = known.for_game(None)
    if lan:
        named = (games.find(game) for game in (*game_ids, *own_games))
        local = create_lan_master(profile for profile in named if profile is not None)
        found[local.url] = local
    return QuerySources(tuple(found.values()), tuple(dict.fromkeys(parse_server_source(url) for url in servers)))


def _iterate_masters(
    games: GameRegistry, game_ids: Iterable[str], masters: Iterable[str], skipped_urls: Container[str]
) -> Iterator[tuple[str, MasterSource]]:
    for game in game_ids:
        profile = games.find(game)
        if profile is None:
            raise ValueError(
                _("unknown game “{game}”; available: {games}").format(game=shorten(game), games=", ".join(games))
            )
        for url in profile.masters:
            if redact_url(url) not in skipped_urls:
                yield url, parse_master_source(url, games).for_game(profile)
    for url in masters:
        if redact_url(url) not in skipped_urls:
            yield url, parse_master_source(url, games)


def parse_server_source(url: str) -> QueryTarget:
    """Parse a server's URL.

    Raises:
        ValueError: the URL is invalid; the text contains it and the reason.
    """
    shown = redact_url(url)  # server URLs have no keys, so one with a key is as invalid without it
    try:
        protocol, address = parse_server_url(shown)
    except ValueError as error:
        raise ValueError(f"{printable_text(shown)}: {error}") from None
    if is_ip_address(address.host) and not is_valid_server_address(address):
        raise ValueError(f"{url}: no server can be at {address}")
    target = QueryTarget(address, protocol, None)
    if not target.is_queryable:
        raise ValueError(f"{url}: such servers are never queried; their lists are master servers")
    return target
