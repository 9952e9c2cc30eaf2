"""One server's score taken apart: what each factor is, what it costs, and what would help."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan, log, nan

from browser_app.games.profile import RankingConstants
from browser_app.ranking.case import Case
from browser_app.ranking.changes import Change, best_changes
from browser_app.ranking.constants_notes import constants_notes
from browser_app.ranking.factors import MAIN_FACTORS
from browser_app.ranking.inputs import RankingInputs
from browser_app.ranking.sentences import factor_sentence, factor_title
from browser_app.ranking.wording import Sentence, percent, whole


@dataclass(frozen=True, slots=True)
class FactorRow:
    """One factor of one server's score."""

    name: str
    """As the command line prints it."""
    title: Sentence
    value: float | None
    """None where it cannot be told, and then there is no score."""
    input: float | None
    """What it was computed from: players, ms, performance that counts, z, free slots, or 1 and 0 for yes and no."""
    loss_share: float | None
    """Its part of all that is lost, 0…1; None where there is no score or it underflowed to 0."""
    sentence: Sentence
    notes: tuple[Sentence, ...]
    """Constants that differ from the usual ones and why; for skill, which spread was used."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The product, its factors and what follows from them."""

    score: float | None
    """The product of all rows' values in their order; None where the server is not ranked."""
    headline: Sentence
    rows: tuple[FactorRow, ...]
    """All factors, in the order of the product."""
    changes: tuple[Change, ...]
    """At most three, best first."""
    if_you_join: Sentence

    @property
    def shown(self) -> tuple[FactorRow, ...]:
        """The formula's own factors and every extra that counts, the dearest first."""
        rows = (row for row in self.rows if row.name in MAIN_FACTORS or row.value != 1.0)
        return tuple(sorted(rows, key=lambda row: -(row.loss_share or 0.0)))


def loss_shares(factors: Mapping[str, float]) -> dict[str, float | None]:
    """Each factor's −ln f / Σ −ln g over the factors g below 1: they sum to 1.

    0 for factors of 1 or more, all 0 when none is below 1; all None when the product is 0 or NaN.
    """
    total = 1.0
    for value in factors.values():
        total *= value
    if not total > 0:
        return dict.fromkeys(factors)
    losses = {name: -log(value) if value < 1 else 0.0 for name, value in factors.items()}
    lost = sum(losses.values())
    return {name: loss / lost if lost > 0 else 0.0 for name, loss in losses.items()}


def explain(
    inputs: RankingInputs, constants: RankingConstants, reasons: Mapping[str, str] | None = None
) -> Explanation:
    """Take the score of the one server in `inputs` apart.

    Args:
        inputs: Exactly one row, else ValueError. Its `rules` do not matter.
        constants: Those that hold for the server.
        reasons: A constant's name → where its value comes from (`GameProfile.ranking_reasons`).
    """
    case = Case.of(inputs, constants)
    shares = loss_shares(case.factors)
    rows = tuple(
        FactorRow(
            name,
            factor_title(name),
            _known(value),
            _known(_input(name, case)),
            shares[name],
            factor_sentence(name, case),
            (*_spread_note(name, case), *constants_notes(name, constants, reasons or {})),
        )
        for name, value in case.factors.items()
    )
    return Explanation(_known(case.total), _headline(case, shares), rows, best_changes(case), _if_you_join(case))


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def _input(name: str, case: Case) -> float:
    """What a factor goes by: of one without a rule here the input of its name, NaN if there is none."""
    if name == "performance":
        return case.performance
    if name == "skill":
        return case.z
    if name == "joinable":
        return case.number("usable_slots") - case.number("players")
    if name == "empty":
        return case.number("players")
    field = {"ping": "ping_ms", "favorite": "favourite"}.get(name, name)
    return case.number(field) if hasattr(case.inputs, field) else nan


def _spread_note(name: str, case: Case) -> tuple[Sentence, ...]:
    if name != "skill" or isnan(case.z) or not case.number("players") >= 2:
        return ()
    points, own = case.spread
    if own:
        return (Sentence("The spread of their skill is their own: {points} points.", points=whole(points)),)
    return (Sentence("The spread of their skill is assumed: {points} points.", points=whole(points)),)


_COSTS_MOST: Mapping[str, Sentence] = {
    "players": Sentence("The factors multiply. Here the players cost the most."),
    "ping": Sentence("The factors multiply. Here ping costs the most."),
    "performance": Sentence("The factors multiply. Here performance costs the most."),
    "skill": Sentence("The factors multiply. Here skill costs the most."),
    "joinable": Sentence("The factors multiply. Here the missing slot costs the most."),
    "password": Sentence("The factors multiply. Here the password costs the most."),
}


def _headline(case: Case, shares: Mapping[str, float | None]) -> Sentence:
    if isnan(case.factors["ping"]):
        return Sentence("Not ranked: no answer, so no ping.")
    if isnan(case.total):
        return Sentence("Not ranked: how many play is unknown.")
    if case.total <= 0:
        return Sentence("The factors multiply. The product is too small to take apart.")
    dearest = max(shares, key=lambda name: shares[name] or 0.0)
    if not shares[dearest]:
        return Sentence("The factors multiply. Nothing is lost here.")
    other = Sentence("The factors multiply. Here “{title}” costs the most.", title=factor_title(dearest))
    return _COSTS_MOST.get(dearest, other)


def _if_you_join(case: Case) -> Sentence:
    if isnan(case.number("players")):
        return Sentence("How many play is unknown, so what you would change is too.")
    if case.full:
        return Sentence("No slot is free, so you cannot change anything there now.")
    before, after = percent(case.viability()), percent(case.viability(1))
    if before == after:
        return Sentence("Your joining changes little: it has {before} of a full game's life.", before=before)
    return Sentence("Your joining takes it from {before} to {after} of a full game's life.", before=before, after=after)
