"""The demo network's player, for layers that do not import `demo/`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from browser_app.catalogue.server_info import QueryTarget, SavedServer
from browser_app.player.player_identities import Identity
from browser_app.player.skill_sources import SkillSourceKind
from browser_app.protocols.address import Address


class DemoRounds(NamedTuple):
    """Rounds with a name that identifies them."""

    name: str
    generate: Callable[[], Sequence[dict[str, Any]]]
    """Returns the rounds as objects of the round file; may be slow."""


class DemoSample(NamedTuple):
    """A value that a service reported at a time (Unix time, s).

    It is in the form stored for that service.
    """

    source: SkillSourceKind
    identity: Identity
    time: float
    values: Mapping[str, Any]


@dataclass(frozen=True)
class DemoPlayer:
    """The demo player's identities, rounds and skill samples."""

    identities: Sequence[Identity]
    rounds: Callable[[float], Iterable[DemoRounds]]
    """Returns the rounds played up to a time (Unix time, s)."""
    services_url: str
    """URL of the stand-in for Steam and XonStat: `http://HOST:PORT`."""
    samples: Callable[[float], Iterable[DemoSample]]
    """Returns the values reported before a time (Unix time, s), in order of time."""


class DemoFavourite(NamedTuple):
    """A favourite by address and name."""

    target: QueryTarget
    name: str


@dataclass(frozen=True)
class DemoLists:
    """The demo player's lists. Addresses are query addresses."""

    favourites: Sequence[DemoFavourite] = ()
    friends: Sequence[str] = ()
    """Player names."""
    blocked: Sequence[Address] = ()
    friend_alerts: Sequence[Address] = ()
    """Servers with an alert for friends who join."""
    player_alerts: Sequence[tuple[Address, int]] = ()
    """Servers with an alert for a number of players."""
    notes: Sequence[tuple[Address, str]] = ()
    saved_servers: Sequence[SavedServer] = ()
    """Servers that are not there any more."""
