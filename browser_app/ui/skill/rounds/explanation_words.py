"""An explained round in words and numbers, ready to be laid out: each line can be recalculated by hand."""

from dataclasses import dataclass

from browser_app.language import gettext as _
from browser_app.rating.explanation import Explanation, Link, Term
from browser_app.ui.skill.numbers import chance_words, change_words, decimals_of
from browser_app.ui.skill.round_marks import outcome_words
from browser_app.ui.skill.rounds.chance_notes import chance_notes
from browser_app.ui.skill.rounds.change_parts import by_scores, change_notes, products
from browser_app.ui.skill.rounds.team_words import TeamSheet, teams_of
from browser_app.ui.skill.rounds.term_titles import term_title

WHOLE = 0.995
"""From this share of the time on somebody was there from beginning to end."""


@dataclass(frozen=True, slots=True)
class TermLine:
    """A term of the model, or their sum. `bar`: the amount on a scale where all terms lie in −1…1."""

    title: str
    bar: float
    amount: str
    alone: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is told of one round.

    Attributes:
        headline: the whole in one sentence.
        chance: why the chance is what it is. terms, total: its terms and their sum, which may be missing.
        notes: numbers behind the terms.
        change: why the change is what it is. products: its parts. change_notes: numbers behind those.
        otherwise: what other outcomes would have done.
        teams: who was there.
    """

    headline: str
    chance: str
    terms: tuple[TermLine, ...]
    total: TermLine | None
    notes: tuple[str, ...]
    change: str
    products: tuple[str, ...]
    change_notes: tuple[str, ...]
    otherwise: str
    teams: tuple[TeamSheet, ...]

    def text(self) -> str:
        """All of it as lines of text, for the clipboard and for those who do not see it."""
        lines = [self.headline]
        if self.terms:
            lines += ["", self.chance, *map(_line_text, self.terms)]
            lines += [_line_text(self.total)] if self.total else []
        lines += [*self.notes, "", self.change, *self.products, *self.change_notes, self.otherwise]
        for team in self.teams:
            lines += ["", *team.lines()]
        return "\n".join(lines)


def sheet_of(explanation: Explanation, *, approximate: bool) -> Sheet:
    """`approximate`: the record does not tell who was there when."""
    chance = chance_words(explanation.probability)
    change = change_words(explanation.change, decimals_of(explanation.system) + 1)
    total = explanation.total
    longest = max((abs(term.amount) for term in explanation.terms), default=0.0) or 1.0
    return Sheet(
        headline(explanation, approximate=approximate),
        _("Why {chance} (terms of the model, right is good for you)").format(chance=chance),
        tuple(_term_line(term, explanation.link, longest) for term in explanation.terms),
        None
        if total is None or not explanation.terms
        else TermLine(_("Sum of the terms"), 0.0, _amount(total, explanation.link), chance),
        chance_notes(explanation),
        _("Why {change}").format(change=change),
        products(explanation),
        change_notes(explanation),
        otherwise(explanation),
        teams_of(explanation),
    )


def headline(explanation: Explanation, *, approximate: bool) -> str:
    """`38 % to win, won, and you were there for 71 % of the weighted time: +8.6`."""
    words = {
        "chance": chance_words(explanation.probability),
        "result": outcome_words(explanation.outcome),
        "change": change_words(explanation.change, decimals_of(explanation.system) + 1),
        "share": ("~" if approximate else "") + chance_words(explanation.share),
    }
    several = len(explanation.teams) > 2
    if explanation.share >= WHOLE:
        text = _("{chance} to come first, {result}: {change}") if several else _("{chance} to win, {result}: {change}")
    elif several:
        text = _("{chance} to come first, {result}, and you were there for {share} of the time: {change}")
    elif explanation.system == "ns2":
        text = _("{chance} to win, {result}, and you were there for {share} of the weighted time: {change}")
    else:
        text = _("{chance} to win, {result}, and you were there for {share} of the time: {change}")
    return text.format(**words)


def otherwise(explanation: Explanation) -> str:
    """`Had you lost: −5.3. Played to the end and won: +11.8, had the chance been the same.`."""
    decimals = decimals_of(explanation.system) + 1
    won, lost = change_words(explanation.if_won, decimals), change_words(explanation.if_lost, decimals)
    if by_scores(explanation) and explanation.if_other is not None:
        text = _("With the scores against the others the other way round: {other}.")
    elif explanation.outcome == 1.0:
        text = _("Had you lost: {lost}.")
    elif explanation.outcome == 0.0:
        text = _("Had you won: {won}.")
    else:
        text = _("Had you won: {won}. Had you lost: {lost}.")
    sentences = [text.format(won=won, lost=lost, other=change_words(explanation.if_other, decimals))]
    if explanation.if_whole is not None and explanation.share < WHOLE:
        whole = _("Played to the end and {result}: {change}, had the chance been the same.")
        change = change_words(explanation.if_whole, decimals)
        sentences.append(whole.format(result=outcome_words(explanation.outcome), change=change))
    return " ".join(sentences)


def _term_line(term: Term, link: Link, longest: float) -> TermLine:
    alone = _("alone: {chance}").format(chance=chance_words(term.alone))
    return TermLine(term_title(term.name), term.amount / longest, _amount(term.amount, link), alone)


def _amount(amount: float, link: Link) -> str:
    return change_words(amount, 2 if link == "logit" else 3)


def _line_text(line: TermLine) -> str:
    return f"{line.title}: {line.amount} ({line.alone})"
