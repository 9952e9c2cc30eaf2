"""Web services that know the user's skill, and requests to them."""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.network.request_errors import RequestError
from browser_app.language import gettext as _
from browser_app.number_text import decimal_text
from browser_app.player.player_identities import IdentityKind
from browser_app.player.rate_limited_fetcher import FetchError, FetchRequest, RateLimitedFetcher, SkillSourceError
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.player.steam_web_api import STEAM_API_URL, SteamSkill, fetch_steam_skill
from browser_app.player.xonstat_web_api import (
    XONSTAT_URL,
    RecentGame,
    SkillEstimate,
    XonStatSkill,
    fetch_recent_games,
    fetch_xonstat_skill,
)
from browser_app.storage.setting_declarations import QUERY_STEAM_SKILL, QUERY_XONSTAT_SKILL
from browser_app.storage.setting_types import Setting

if TYPE_CHECKING:  # the rating package is not loaded at start
    from browser_app.rating.rating_system import PublicScale

_log = logging.getLogger(__name__)

SERVICE_DEADLINE_S = 20.0
MAX_ANSWER_BYTES = 1 << 20


class ServiceFetcher:
    """Fetches answers, in any thread.

    Once `cancel_token` is cancelled it sends nothing.
    """

    def __init__(self, cancel_token: CancelToken, deadline_s: float = SERVICE_DEADLINE_S) -> None:
        self._cancel_token, self._deadline_s = cancel_token, deadline_s

    def __call__(self, request: FetchRequest) -> bytes:
        """Return the body of the answer.

        Raises:
            FetchError: the request failed.
        """
        from browser_app.engine.network.http_client import HttpStatusError, fetch_document  # takes 0.2 s

        url = f"{request.url}?{urlencode(request.query)}"
        deadline = CancelToken()
        timer = threading.Timer(self._deadline_s, deadline.cancel)
        timer.start()
        try:
            with self._cancel_token.calling_on_cancel(deadline.cancel):
                return fetch_document(
                    url, deadline, secret_params=request.secret, headers=request.headers, max_bytes=MAX_ANSWER_BYTES
                ).body
        except HttpStatusError as error:
            raise FetchError(str(error), error.status, error.body) from None
        except RequestError as error:
            late = deadline.is_cancelled and not self._cancel_token.is_cancelled
            why = _("no answer within {n} s").format(n=decimal_text(self._deadline_s)) if late else str(error)
            raise FetchError(why) from None
        finally:
            timer.cancel()
            timer.join()


_GAMES_KEY, _MAX_RECENT_GAMES = "games", 5

ServiceAnswer = Mapping[str, Any]
"""A stored answer, as JSON values."""
ServiceQuery = Callable[[RateLimitedFetcher, str, str, str], ServiceAnswer]
"""Queries a service for an identity, with a key, at a URL; raises SkillSourceError."""


@dataclass(frozen=True)
class SkillService:
    """A service and the game whose skill it knows."""

    kind: SkillSourceKind
    game: str
    scale: "PublicScale"
    setting: Setting[bool]
    identity: IdentityKind
    """How it identifies players."""
    needs_key: bool
    query: ServiceQuery


@dataclass(frozen=True)
class ServiceUrls:
    """URLs of the services, without a trailing slash.

    None if a service must not be queried.
    """

    steam: str | None = STEAM_API_URL
    xonstat: str | None = XONSTAT_URL
    is_demo: bool = False
    """Whether these are the demo network's, on this machine; the settings do not apply then."""

    def url(self, kind: SkillSourceKind) -> str | None:
        """Return the URL of a service."""
        return self.steam if kind is SkillSourceKind.STEAM else self.xonstat


PUBLIC_SERVICES = ServiceUrls()


def _query_steam(client: RateLimitedFetcher, account: str, key: str, base: str) -> ServiceAnswer:
    skill = asdict(fetch_steam_skill(client, account, key, base))
    return {name: value for name, value in skill.items() if value is not None}


def _query_xonstat(client: RateLimitedFetcher, fingerprint: str, _key: str, base: str) -> ServiceAnswer:
    skill = fetch_xonstat_skill(client, fingerprint, base)
    games: tuple[RecentGame, ...] = ()
    if skill.player_number is not None:
        try:
            games = fetch_recent_games(client, skill.player_number, base)[:_MAX_RECENT_GAMES]
        except SkillSourceError as error:  # the skill is useful without them
            _log.info("XonStat sent no recent games: %s", error)
    return {"modes": skill.modes, _GAMES_KEY: games}


SKILL_SERVICES = (
    SkillService(SkillSourceKind.STEAM, "ns2", "ns2", QUERY_STEAM_SKILL, IdentityKind.STEAM, True, _query_steam),
    SkillService(
        SkillSourceKind.XONSTAT, "xonotic", "xonstat", QUERY_XONSTAT_SKILL, IdentityKind.XONOTIC, False, _query_xonstat
    ),
)


def source_state(
    service: SkillService, last_answer: tuple[float, ServiceAnswer] | None, *, enabled: bool, problem: str
) -> SkillSourceState:
    """Return the state of a source.

    This is its last answer, whether it is enabled, and the last error.
    """
    state = SkillSourceState(service.kind, service.game, enabled, error=problem)
    if last_answer is None:
        return state
    read_at, answer = last_answer
    if service.kind is SkillSourceKind.STEAM:
        steam = _parse_steam_skill(answer)
        return (
            state if steam is None else replace(state, points=steam.points, sd=steam.sd, read_at=read_at, steam=steam)
        )
    skill = _parse_xonstat_skill(answer)
    if skill is None:
        return state
    mu, sigma = skill.modes[skill.surest_mode]
    return replace(state, points=mu, sd=sigma, read_at=read_at, modes=skill.modes, games=_parse_recent_games(answer))


def in_game_state(states: Iterable[SkillSourceState]) -> SkillSourceState | None:
    """Return the state that has the game's own number of the user.

    It is one of those of a game's sources; None if unknown.
    """
    known = (each for each in states if each.kind is SkillSourceKind.STEAM and each.is_enabled)
    return next((each for each in known if each.points is not None), None)


def answer_values(answer: ServiceAnswer) -> ServiceAnswer:
    """Return the answer without the recent games."""
    return {name: value for name, value in answer.items() if name != _GAMES_KEY}


def missing_identity_text(service: SkillService) -> str:
    """Return the advice for a user whose identity is unknown."""
    if service.identity is IdentityKind.STEAM:
        return _("Your Steam ID is not set. Add it under “Identity”.")
    return _("Your key’s fingerprint is not set. Add it under “Identity”.")


def _parse_steam_skill(answer: ServiceAnswer) -> SteamSkill | None:
    """Parse a stored answer; None if another version stored it differently."""
    try:
        return SteamSkill(**{name: float(value) for name, value in answer.items()})
    except (TypeError, ValueError) as error:
        _log.debug("Ignored a stored answer of Steam: %r", error)
        return None


def _parse_xonstat_skill(answer: ServiceAnswer) -> XonStatSkill | None:
    """Parse a stored answer; None if another version stored it differently."""
    try:
        modes = {str(mode): SkillEstimate(float(mu), float(sigma)) for mode, (mu, sigma) in answer["modes"].items()}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        _log.debug("Ignored a stored answer of XonStat: %r", error)
        return None
    return XonStatSkill(modes) if modes else None


def _parse_recent_games(answer: ServiceAnswer) -> tuple[RecentGame, ...]:
    try:
        return tuple(RecentGame(float(time), str(mode), str(at), str(on)) for time, mode, at, on in answer[_GAMES_KEY])
    except (KeyError, TypeError, ValueError):
        return ()
