"""Player supplied together with the server sources, as by a demo network."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from browser_app.player.player_identities import Identity
from browser_app.player.skill_sources import SkillSourceKind


def _no_samples(_now: float) -> Iterable["SuppliedSample"]:
    return ()


class SuppliedRounds(NamedTuple):
    """Rounds under a name by which they are found again."""

    name: str
    generate: Callable[[], Sequence[dict[str, Any]]]
    """The rounds, as objects of the round file; may take its time."""


class SuppliedSample(NamedTuple):
    """What a service said of him at a time (Unix time, s), as it is kept of that service."""

    source: SkillSourceKind
    identity: Identity
    time: float
    values: Mapping[str, Any]


@dataclass(frozen=True)
class SuppliedPlayer:
    """Who he is, and what is known of him."""

    identities: Sequence[Identity]
    rounds: Callable[[float], Iterable[SuppliedRounds]]
    """What he played up to a time (Unix time, s)."""
    parameters: Mapping[tuple[str, str], Mapping[str, object]]
    """By game and rating system, those that suit his games better than the system's own."""
    services_url: str
    """Where Steam and XonStat are played: `http://HOST:PORT`."""
    samples: Callable[[float], Iterable[SuppliedSample]] = _no_samples
    """What these said before a time (Unix time, s), in its order."""
