"""A player who comes with the sources: the one of a demo network, in the user's place for as long as that is shown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from browser_app.player.identities import Identity
from browser_app.player.sources import SourceKind


def _nothing(_now: float) -> Iterable["GivenSample"]:
    return ()


class GivenRounds(NamedTuple):
    """Rounds under a name by which they are found again."""

    name: str
    make: Callable[[], Sequence[dict[str, Any]]]
    """The rounds, as objects of the round file; may take its time."""


class GivenSample(NamedTuple):
    """What a service said of him at a time (Unix time, s), as it is kept of that service."""

    source: SourceKind
    identity: Identity
    time: float
    told: Mapping[str, Any]


@dataclass(frozen=True)
class GivenPlayer:
    """Who he is, and what is known of him."""

    identities: Sequence[Identity]
    rounds: Callable[[float], Iterable[GivenRounds]]
    """What he played up to a time (Unix time, s)."""
    parameters: Mapping[tuple[str, str], Mapping[str, object]]
    """By game and rating system, those that suit his games better than the system's own."""
    services: str
    """Where Steam and XonStat are played: `http://HOST:PORT`."""
    samples: Callable[[float], Iterable[GivenSample]] = _nothing
    """What these said before a time (Unix time, s), in its order."""
