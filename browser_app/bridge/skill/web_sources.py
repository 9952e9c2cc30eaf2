"""The services that can tell the user's skill: whom each knows, how it is asked, what its answers mean."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from browser_app.language import gettext as _
from browser_app.player.asking import Asking, SourceError
from browser_app.player.identities import IdentityKind
from browser_app.player.sources import SourceKind, SourceState
from browser_app.player.steam_user_stats import STEAM, SteamSkill
from browser_app.player.steam_user_stats import ask_skill as ask_steam
from browser_app.player.xonstat_games import RecentGame, ask_games
from browser_app.player.xonstat_skill import XONSTAT, Skill, XonStatSkill
from browser_app.player.xonstat_skill import ask_skill as ask_xonstat
from browser_app.storage.declared import ASK_STEAM, ASK_XONSTAT
from browser_app.storage.setting import Setting

_GAMES, _KEPT_GAMES = "games", 5

Told = Mapping[str, Any]
"""An answer as it is kept: what JSON can hold."""
Ask = Callable[[Asking, str, str, str], Told]
"""Asks about an identity, with a key, at an address; raises SourceError."""


@dataclass(frozen=True)
class WebSource:
    """One service and the game that it knows of."""

    kind: SourceKind
    game: str
    setting: Setting[bool]
    identity: IdentityKind
    """What it knows players by."""
    needs_key: bool
    ask: Ask


@dataclass(frozen=True)
class Bases:
    """Where the services are, without a slash at the end; None: it may not be asked."""

    steam: str | None = STEAM
    xonstat: str | None = XONSTAT
    invited: bool = False
    """They are asked whatever the settings say: a demo network's own, on this machine."""

    def of(self, kind: SourceKind) -> str | None:
        """Where one is."""
        return self.steam if kind is SourceKind.STEAM else self.xonstat


REAL = Bases()


def _ask_steam(asking: Asking, account: str, key: str, base: str) -> Told:
    told = asdict(ask_steam(asking, account, key, base))
    return {name: value for name, value in told.items() if value is not None}


def _ask_xonstat(asking: Asking, fingerprint: str, _key: str, base: str) -> Told:
    skill = ask_xonstat(asking, fingerprint, base)
    games: tuple[RecentGame, ...] = ()
    if skill.player is not None:
        with suppress(SourceError):  # the skill is good without them
            games = ask_games(asking, skill.player, base)[:_KEPT_GAMES]
    return {"modes": skill.modes, _GAMES: games}


WEB_SOURCES = (
    WebSource(SourceKind.STEAM, "ns2", ASK_STEAM, IdentityKind.STEAM, True, _ask_steam),
    WebSource(SourceKind.XONSTAT, "xonotic", ASK_XONSTAT, IdentityKind.XONOTIC, False, _ask_xonstat),
)


def state_of(source: WebSource, said: tuple[float, Told] | None, *, on: bool, problem: str) -> SourceState:
    """How a source stands: when it said what, whether it is switched on, and what went wrong the last time."""
    state = SourceState(source.kind, source.game, on, error=problem)
    if said is None:
        return state
    read_at, told = said
    if source.kind is SourceKind.STEAM:
        steam = _steam_skill(told)
        return state if steam is None else replace(state, points=steam.points, read_at=read_at, steam=steam)
    skill = _xonstat_skill(told)
    if skill is None:
        return state
    mu, sigma = skill.modes[skill.surest]
    return replace(state, points=mu, sd=sigma, read_at=read_at, modes=skill.modes, games=_games(told))


def values_of(told: Told) -> Told:
    """What of an answer are values; the last games are none."""
    return {name: value for name, value in told.items() if name != _GAMES}


def no_identity(source: WebSource) -> str:
    """What to say where the service knows the user by nothing that is known here."""
    if source.identity is IdentityKind.STEAM:
        return _("Your Steam id is not known yet: see “Who I am”.")
    return _("Your key's fingerprint is not known yet: see “Who I am”.")


def _steam_skill(told: Told) -> SteamSkill | None:
    """What Steam told, as it was kept; None where another version of the program kept it otherwise."""
    try:
        return SteamSkill(**{name: float(value) for name, value in told.items()})
    except (TypeError, ValueError):
        return None


def _xonstat_skill(told: Told) -> XonStatSkill | None:
    """The same of XonStat."""
    try:
        modes = {str(mode): Skill(float(mu), float(sigma)) for mode, (mu, sigma) in told["modes"].items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return XonStatSkill(modes) if modes else None


def _games(told: Told) -> tuple[RecentGame, ...]:
    try:
        return tuple(RecentGame(float(time), str(mode), str(at), str(on)) for time, mode, at, on in told[_GAMES])
    except (KeyError, TypeError, ValueError):
        return ()
