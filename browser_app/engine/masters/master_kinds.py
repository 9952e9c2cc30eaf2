"""Registry of the kinds of master servers."""

from urllib.parse import urlsplit

from browser_app.engine.masters.address_lists import UDP_LISTS
from browser_app.engine.masters.community_lists import LIST_FILE, WEB_LIST
from browser_app.engine.masters.described_lists import DESCRIBED_LISTS
from browser_app.engine.masters.dpmaster_client import DPMASTER
from browser_app.engine.masters.gamespy_master import GAMESPY_MASTER
from browser_app.engine.masters.master_source import MasterKind, MasterSource
from browser_app.engine.masters.steam.steam_network_master import STEAM_NETWORK
from browser_app.engine.masters.steam.steam_web_master import STEAM_WEB
from browser_app.engine.masters.tcp_lists import TCP_LISTS
from browser_app.engine.network.url_redaction import redact_url
from browser_app.games.game_registry import GameRegistry
from browser_app.language import gettext as _
from browser_app.protocols.address import printable_text

MASTER_KINDS: tuple[MasterKind, ...] = (
    DPMASTER,
    STEAM_WEB,
    STEAM_NETWORK,
    WEB_LIST,
    LIST_FILE,
    *UDP_LISTS,
    *TCP_LISTS,
    GAMESPY_MASTER,
    *DESCRIBED_LISTS,
)
"""All kinds; each scheme belongs to one of them."""


def parse_master_source(url: str, games: GameRegistry) -> MasterSource:
    """Parse a master's URL; a list in a file is read at once.

    Raises:
        ValueError: the URL is invalid; the text contains it and the reason. For a list in a file it is `FILE:LINE:
            field: reason`.
    """
    problem = master_url_problem(redact_url(url))
    if problem:
        raise ValueError(problem)
    kind, _form = _map_schemes()[_get_scheme(url)]
    return kind.parse(url, games)


def master_url_problem(url: str) -> str | None:
    """Return what is wrong with a master's URL, None if it has a known form.

    Hosts are not resolved.
    """
    kinds = _map_schemes()
    if _get_scheme(url) not in kinds:
        return _("“{url}” is not a master server URL; known forms: {forms}").format(
            url=printable_text(url), forms=", ".join(kinds)
        )
    kind, form = kinds[_get_scheme(url)]
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises if it is invalid
    except ValueError:
        parts = None
    if parts is not None and not parts.fragment and parts.username is None and kind.matches(parts):
        return None
    return _("“{url}” does not match {form}").format(url=printable_text(url), form=form)


def is_for_own_games(url: str) -> bool:
    """Return whether a master is only polled for the user's own games.

    The URL must be valid.
    """
    return _map_schemes()[_get_scheme(url)][0].is_for_own_games


def _map_schemes() -> dict[str, tuple[MasterKind, str]]:
    return {_get_scheme(form): (kind, form) for kind in MASTER_KINDS for form in kind.forms}


def _get_scheme(url: str) -> str:
    return url.partition(":")[0]
