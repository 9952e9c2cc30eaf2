"""A round taken apart in the terms of XonStat's systems: everybody against everybody, by score."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from browser_app.rating.explanation import Duel, Explanation, Member, Part
from browser_app.rating.pairwise_explained import Chance
from browser_app.rating.viewpoint import View


@dataclass(frozen=True, slots=True)
class Taught:
    """What a round teaches of one player; fields as in ``Explanation``."""

    parts: tuple[Part, ...] = ()
    duels: tuple[Duel, ...] = ()
    also: tuple[Part, ...] = ()
    notes: Mapping[str, float] = field(default_factory=dict)

    @property
    def change(self) -> float:
        """Of the rating."""
        return sum(part.change for part in self.parts)


class Teach(Protocol):
    """What the round would teach of the player."""

    def __call__(self, *, turned: bool = False, whole: bool = False) -> Taught:
        """If every duel with an opponent had gone the other way; if he had been there for the whole round."""


def nothing(*, turned: bool = False, whole: bool = False) -> Taught:  # noqa: ARG001 (as Teach)
    """Of who is not rated."""
    return Taught()


def explain(
    system: str,
    view: View,
    chance: Chance,
    share: float,
    teams: tuple[tuple[Member, ...], ...],
    teach: Teach,
    notes: Mapping[str, float],
) -> Explanation:
    """A rated round.

    Args:
        system: its name.
        view: the round and whose it is.
        chance: of the player's team.
        share: of the round the player was there.
        teams: who was on them.
        teach: what the round teaches of the player.
        notes: further ones.
    """
    taught, turned, whole = teach(), teach(turned=True).change, teach(whole=True)
    won, lost = {1.0: (taught.change, turned), 0.0: (turned, taught.change)}.get(view.outcome, (None, None))
    return Explanation(
        system=system,
        player=view.record.player_ids[view.player],
        team=view.team,
        **chance._asdict(),
        outcome=view.outcome,
        share=share,
        change=taught.change,
        parts=taught.parts,
        if_won=won,
        if_lost=lost,
        if_whole=whole.change if whole.duels else None,
        teams=teams,
        also=taught.also,
        duels=taught.duels,
        notes={**taught.notes, **notes},
    )


def with_floor(result: Part, rating: float, floor: float) -> tuple[Part, ...]:
    """The result, and what keeps the rating from falling below its floor."""
    below = floor - (rating + result.change)
    return (result, Part("floor", below)) if below > 0.0 else (result,)
