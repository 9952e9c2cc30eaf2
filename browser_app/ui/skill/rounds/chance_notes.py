"""The numbers behind the terms of a chance, a sentence each."""

from browser_app.language import gettext as _
from browser_app.rating.explanation import Explanation
from browser_app.ui.skill.numbers import decimals_of, points_words


def chance_notes(explanation: Explanation) -> tuple[str, ...]:
    """Means, player-rounds, and the spread of performances, as far as the system has them."""
    notes, decimals = explanation.notes, decimals_of(explanation.system)
    sentences = []
    if {"mean_own", "mean_other"} <= notes.keys():
        own, other = points_words(notes["mean_own"], decimals), points_words(notes["mean_other"], decimals)
        sentences.append(_means(explanation, own, other))
    if {"t", "c", "margin"} <= notes.keys():
        words = _(
            "The performances should differ by {t}, with a standard deviation of {c}; within {margin} it is a draw."
        )
        sentences.append(
            words.format(**{name: points_words(notes[name], decimals + 1) for name in ("t", "c", "margin")})
        )
    if explanation.link == "none":
        sentences.append(
            _("With more than two teams the chance is that of coming first alone. It has no simple terms.")
        )
    return (" ".join(sentences),) if sentences else ()


def _means(explanation: Explanation, own: str, other: str) -> str:
    notes = explanation.notes
    if not {"rounds_own", "rounds_other"} <= notes.keys():
        return _("The mean of your team is {own}, theirs {other}.").format(own=own, other=other)
    words = _(
        "The mean of your team is {own}, theirs {other}; you had {rounds_own} player-rounds against {rounds_other}."
    )
    if any(term.name == "field" for term in explanation.terms):
        words = _(
            "Field players: the mean of your team is {own}, theirs {other}; "
            "you had {rounds_own} player-rounds against {rounds_other}."
        )
    rounds = {name: f"{notes[name]:.2f}" for name in ("rounds_own", "rounds_other")}
    return words.format(own=own, other=other, **rounds)
