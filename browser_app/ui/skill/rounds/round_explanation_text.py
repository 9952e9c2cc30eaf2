"""The explanation of a round as text, with its teams."""

from dataclasses import dataclass

from browser_app.language import gettext as _
from browser_app.rating.rating_explanation import ExplainedPlayer, ExplanationTerm, RatingExplanation
from browser_app.ui.skill.outcome_marker import LOST, WON, outcome_text
from browser_app.ui.skill.rating_format import (
    format_chance,
    format_change,
    format_points,
    format_share,
    rating_decimals,
    team_title,
)
from browser_app.ui.skill.rounds.rating_change_text import (
    chance_notes,
    change_notes,
    change_products,
    is_rated_by_scores,
    term_title,
    weights_time,
)


@dataclass(frozen=True, slots=True)
class ExplainedMember:
    """A player of an explained team, as text."""

    name: str
    value: str
    share: str
    is_own: bool
    is_commander: bool


@dataclass(frozen=True, slots=True)
class ExplainedTeam:
    """One team: field players by rating, then the commander."""

    title: str
    mean: str
    members: tuple[ExplainedMember, ...]

    def to_lines(self) -> list[str]:
        """Return the team as lines of text."""
        return [
            f"{self.title}, {self.mean}" if self.mean else self.title,
            *(f"{each.name}  {each.value}  {each.share}" for each in self.members),
        ]


def explained_teams(explanation: RatingExplanation) -> tuple[ExplainedTeam, ...]:
    """Return the teams, the user's first.

    In free-for-all modes all players are one team.
    """
    teams = [members for members in explanation.teams if members]
    decimals = rating_decimals(explanation.system)
    if all(len({each.id for each in members}) == 1 for members in teams):
        everybody = sorted((each for members in teams for each in members), key=lambda each: -each.value)
        lines = tuple(_explained_member(each, explanation.player, decimals) for each in everybody)
        return (ExplainedTeam(_("Players"), "", lines),)
    order = sorted(range(len(explanation.teams)), key=lambda team: team != explanation.team)
    return tuple(_explained_team(explanation, team) for team in order if explanation.teams[team])


def _explained_team(explanation: RatingExplanation, team: int) -> ExplainedTeam:
    members, decimals = explanation.teams[team], rating_decimals(explanation.system)
    name = team_title(members[0].team)
    ordered = sorted(members, key=lambda each: (each.is_commander, -each.value))
    mean = _team_mean(explanation, team)
    return ExplainedTeam(
        _("{team} (yours)").format(team=name) if team == explanation.team else name,
        "" if mean is None else _("mean {points}").format(points=format_points(mean, decimals)),
        tuple(_explained_member(each, explanation.player, decimals) for each in ordered),
    )


def _team_mean(explanation: RatingExplanation, team: int) -> float | None:
    """Return the mean that the model uses.

    If it reports none, the mean weighted by shares.
    """
    noted = explanation.notes.get("mean_own" if team == explanation.team else "mean_other")
    if noted is not None and len(explanation.teams) == 2:
        return noted
    members = [each for each in explanation.teams[team] if not each.is_commander]
    weight = sum(each.share for each in members)
    return sum(each.value * each.share for each in members) / weight if weight else None


def _explained_member(member: ExplainedPlayer, me: str, decimals: int) -> ExplainedMember:
    name = _("you") if member.id == me else member.name or member.id
    if member.is_commander:
        name = _("{name}, commander").format(name=name)
    share = format_share(member.share)
    return ExplainedMember(name, format_points(member.value, decimals), share, member.id == me, member.is_commander)


WHOLE_ROUND_SHARE = 0.995
"""A share of the time from which a player counts as present for the whole round."""


@dataclass(frozen=True, slots=True)
class ExplanationTermLine:
    """A term of the model, or their sum.

    `bar_value` is the amount scaled so that all terms are in −1…1.
    """

    title: str
    bar_value: float
    amount: str
    chance_alone: str


@dataclass(frozen=True, slots=True)
class ExplanationText:
    """Explanation of one round.

    Attributes:
        headline: everything in one sentence.
        chance_title: title of the terms.
        terms, total: terms of the chance and their sum, which may be missing.
        notes: numbers behind the terms.
        change_title: title of the products.
        products: parts of the change.
        change_notes: numbers behind the products.
        counterfactual: the changes that other outcomes would have given.
        teams: the players.
    """

    headline: str
    chance_title: str
    terms: tuple[ExplanationTermLine, ...]
    total: ExplanationTermLine | None
    notes: tuple[str, ...]
    change_title: str
    products: tuple[str, ...]
    change_notes: tuple[str, ...]
    counterfactual: str
    teams: tuple[ExplainedTeam, ...]

    def to_text(self) -> str:
        """Return everything as lines of text, for the clipboard and screen readers."""
        lines = [self.headline]
        if self.terms:
            lines += ["", self.chance_title, *map(_line_text, self.terms)]
            lines += [_line_text(self.total)] if self.total else []
        lines += [*self.notes, "", self.change_title, *self.products, *self.change_notes, self.counterfactual]
        for team in self.teams:
            lines += ["", *team.to_lines()]
        return "\n".join(lines)


def build_explanation_text(explanation: RatingExplanation, *, approximate: bool) -> ExplanationText:
    """Build the texts of an explanation.

    `approximate`: join and leave times are estimated.
    """
    chance = format_chance(explanation.probability)
    change = format_change(explanation.change, rating_decimals(explanation.system) + 1)
    total, decimals = explanation.total, _term_decimals(explanation)
    longest = max((abs(term.amount) for term in explanation.terms), default=0.0) or 1.0
    return ExplanationText(
        explanation_headline(explanation, approximate=approximate),
        _("Why {chance} (model terms, bars to the right favour you)").format(chance=chance),
        tuple(_term_line(explanation.system, term, decimals, longest) for term in explanation.terms),
        None
        if total is None or not explanation.terms
        else ExplanationTermLine(_("Sum of terms"), 0.0, format_change(total, decimals), chance),
        chance_notes(explanation),
        _("Why {change}").format(change=change),
        change_products(explanation),
        change_notes(explanation),
        counterfactual_text(explanation),
        explained_teams(explanation),
    )


def explanation_headline(explanation: RatingExplanation, *, approximate: bool) -> str:
    """Return `38 % win chance, won, present for 71 % of the weighted time: +8.6`."""
    words = {
        "chance": format_chance(explanation.probability),
        "result": outcome_text(explanation.outcome),
        "change": format_change(explanation.change, rating_decimals(explanation.system) + 1),
        "share": ("~" if approximate else "") + format_share(explanation.share),
    }
    several = len(explanation.teams) > 2
    if explanation.share >= WHOLE_ROUND_SHARE:
        text = (
            _("{chance} chance to finish first, {result}: {change}")
            if several
            else _("{chance} win chance, {result}: {change}")
        )
    elif several:
        text = _("{chance} chance to finish first, {result}, present for {share} of the time: {change}")
    elif weights_time(explanation.system):
        text = _("{chance} win chance, {result}, present for {share} of the weighted time: {change}")
    else:
        text = _("{chance} win chance, {result}, present for {share} of the time: {change}")
    return text.format(**words)


def counterfactual_text(explanation: RatingExplanation) -> str:
    """Return `If you had lost: −5.3.`, and the change for playing the whole round."""
    decimals = rating_decimals(explanation.system) + 1
    won, lost = format_change(explanation.if_won, decimals), format_change(explanation.if_lost, decimals)
    if is_rated_by_scores(explanation) and explanation.if_opposite_result is not None:
        text = _("If every comparison of points with an opponent had gone the other way: {other}.")
    elif explanation.outcome == 1.0:
        text = _("If you had lost: {lost}.")
    elif explanation.outcome == 0.0:
        text = _("If you had won: {won}.")
    else:
        text = _("If you had won: {won}. If you had lost: {lost}.")
    sentences = [text.format(won=won, lost=lost, other=format_change(explanation.if_opposite_result, decimals))]
    if explanation.if_full_round is not None and explanation.share < WHOLE_ROUND_SHARE:
        whole = {
            WON: _("If you had played the whole round and won, at the same chance: {change}."),
            LOST: _("If you had played the whole round and lost, at the same chance: {change}."),
        }.get(
            explanation.outcome, _("If you had played the whole round and it was a draw, at the same chance: {change}.")
        )
        sentences.append(whole.format(change=format_change(explanation.if_full_round, decimals)))
    return " ".join(sentences)


_MORE_TERM_DECIMALS = 3


def _term_decimals(explanation: RatingExplanation) -> int:
    """Return the fewest decimals with which the terms add up as shown.

    The rounded terms then add up to the rounded sum.
    """
    fewest = 2 if explanation.link == "logit" else 3
    amounts, total = [term.amount for term in explanation.terms], explanation.total
    if total is None:
        return fewest
    for decimals in range(fewest, fewest + _MORE_TERM_DECIMALS):
        if abs(sum(round(amount, decimals) for amount in amounts) - round(total, decimals)) < 0.1**decimals / 2:
            return decimals
    return fewest + _MORE_TERM_DECIMALS


def _term_line(system: str, term: ExplanationTerm, decimals: int, longest: float) -> ExplanationTermLine:
    alone = _("alone: {chance}").format(chance=format_chance(term.chance_alone))
    return ExplanationTermLine(
        term_title(system, term.name), term.amount / longest, format_change(term.amount, decimals), alone
    )


def _line_text(line: ExplanationTermLine) -> str:
    return f"{line.title}: {line.amount} ({line.chance_alone})"
