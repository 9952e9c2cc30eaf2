"""Texts about the terms of a chance and the factors of a rating change."""

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import decimal_text
from browser_app.rating.rating_explanation import ChangeFactor, ChangePart, ExplanationTitles, RatingExplanation
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.ui.skill.rating_format import format_change, format_points, rating_decimals

_NO_TITLES = ExplanationTitles({}, {}, {})


def term_title(system: str, name: str) -> str:
    """Return a term's title, its name if there is none."""
    return _(_titles(system).terms.get(name, name))


def factor_text(system: str, name: str, value: str) -> str:
    """Return `rate 4.17`."""
    return _(_titles(system).factors.get(name, name + " {value}")).format(value=value)


def change_part_title(system: str, name: str) -> str:
    """Return a part's title, its name if there is none."""
    return _(_titles(system).parts.get(name, name))


def weights_time(system: str) -> bool:
    """Return whether a system counts some of a round's time more than the rest."""
    return system in RATING_SYSTEMS and RATING_SYSTEMS[system].weights_time


def _titles(system: str) -> ExplanationTitles:
    return RATING_SYSTEMS[system].explanation_titles if system in RATING_SYSTEMS else _NO_TITLES


def chance_notes(explanation: RatingExplanation) -> tuple[str, ...]:
    """Return notes on mean ratings, player-rounds and the spread of performances.

    What the system does not report is left out.
    """
    notes, decimals = explanation.notes, rating_decimals(explanation.system)
    sentences = []
    if {"mean_own", "mean_other"} <= notes.keys():
        own, other = format_points(notes["mean_own"], decimals), format_points(notes["mean_other"], decimals)
        sentences.append(_team_means_text(explanation, own, other))
    if {"t", "c", "margin"} <= notes.keys():
        words = _(
            "Expected performance difference {t}, with a standard deviation of {c}; a difference "
            "within {margin} is a draw."
        )
        sentences.append(
            words.format(**{name: format_points(notes[name], decimals + 1) for name in ("t", "c", "margin")})
        )
    if explanation.link == "none":
        sentences.append(
            _(
                "With more than two teams, this is the chance of finishing first outright. It cannot be "
                "split into simple terms."
            )
        )
    return (" ".join(sentences),) if sentences else ()


def _team_means_text(explanation: RatingExplanation, own: str, other: str) -> str:
    notes = explanation.notes
    if not {"rounds_own", "rounds_other"} <= notes.keys():
        return _("Mean rating: your team {own}, opponents {other}.").format(own=own, other=other)
    words = _("Mean rating: your team {own}, opponents {other}; player-rounds: {rounds_own} against {rounds_other}.")
    if any(term.name == "field" for term in explanation.terms):
        words = _(
            "Field players: mean rating of your team {own}, opponents {other}; player-rounds: "
            "{rounds_own} against {rounds_other}."
        )
    rounds = {name: decimal_text(notes[name], 2) for name in ("rounds_own", "rounds_other")}
    return words.format(own=own, other=other, **rounds)


_MIN_SHOWN_CHANGE = 5e-7


def change_products(explanation: RatingExplanation) -> tuple[str, ...]:
    """Return a line for each part of a change, and for what else changed.

    For example `50 points × rate 4.17 × surprise 0.620 × your share 0.0668 = +8.6`.
    """
    if not explanation.parts:
        return (_("Your rating did not change: you played too briefly or had no points."),)
    decimals = rating_decimals(explanation.system) + 1
    alone = len(explanation.parts) == 1
    lines = [
        _part_text(explanation.system, part, decimals, titled=not alone)
        for part in explanation.parts
        if alone or _is_significant(part)
    ]
    if not alone:
        lines.append(_("Total: {change}").format(change=format_change(explanation.change, decimals)))
    # The change of the standard deviation is in a note.
    side_effects = [part for part in explanation.side_effects if part.name != "sd" and _is_significant(part)]
    lines += [_part_text(explanation.system, part, decimals, titled=True) for part in side_effects]
    return tuple(lines)


def _is_significant(part: ChangePart) -> bool:
    return abs(part.change) > _MIN_SHOWN_CHANGE


def _part_text(system: str, part: ChangePart, decimals: int, *, titled: bool) -> str:
    change = format_change(part.change, decimals)
    product = " × ".join(factor_text(system, each.name, format_factor_value(each)) for each in part.factors)
    line = f"{product} = {change}" if product else change
    return _("{part}: {value}").format(part=change_part_title(system, part.name), value=line) if titled else line


def format_factor_value(factor: ChangeFactor) -> str:
    """Format a factor with four significant digits.

    The product can thus be checked.
    """
    value = factor.value
    if value == round(value) and abs(value) < 1e6:
        return format_points(value)
    decimals = 4 if abs(value) < 0.1 else 3 if abs(value) < 1.0 else 2
    return format_points(value, decimals)


def is_rated_by_scores(explanation: RatingExplanation) -> bool:
    """Return True if scores and not the winning team determine the change.

    For two players both are the same.
    """
    return _titles(explanation.system).compared != "result" and len(explanation.pair_comparisons) > 1


def _pair_comparisons_text(explanation: RatingExplanation) -> str:
    count = len(explanation.pair_comparisons)
    if not is_rated_by_scores(explanation):
        words = ngettext("Mean over {n} pair of opposing players.", "Mean over {n} pairs of opposing players.", count)
    elif _titles(explanation.system).compared == "score":
        words = ngettext(
            "Sum over {n} other player, including your own team: it counts who had more points, not which team won.",
            "Sum over {n} other players, including your own team: it counts who had more points, not which team won.",
            count,
        )
    else:
        words = ngettext(
            "Mean over {n} other player, including your own team: it compares your points per minute with theirs, "
            "not which team won.",
            "Mean over {n} other players, including your own team: it compares your points per minute with theirs, "
            "not which team won.",
            count,
        )
    return words.format(n=format_points(count))


def change_notes(explanation: RatingExplanation) -> tuple[str, ...]:
    """Return sentences on the numbers behind the factors."""
    notes, sentences = explanation.notes, []
    if {"c", "a", "sum", "epsilon"} <= notes.keys():
        sentences.append(_rate_note(explanation))
        sentences.append(_share_note(explanation))
    if "games" in notes:
        words = _("K falls with rounds played: {n} before this one.")
        sentences.append(words.format(n=format_points(notes["games"])))
    if explanation.pair_comparisons:
        sentences.append(_pair_comparisons_text(explanation))
    if "sd_before" in notes and "sd_after" in notes:
        decimals = rating_decimals(explanation.system) + 1
        words = _("Uncertainty: {before} before, {after} after.")
        before, after = (format_points(notes[name], decimals) for name in ("sd_before", "sd_after"))
        sentences.append(words.format(before=before, after=after))
    return (" ".join(filter(None, sentences)),) if any(sentences) else ()


def _rate_note(explanation: RatingExplanation) -> str:
    notes = explanation.notes
    values = {name: decimal_text(notes[name]) for name in ("c", "a", "epsilon")}
    words = _("Rate = {c} + {a} / √({sum} + {epsilon}): it falls with rounds played.")
    return words.format(sum=decimal_text(notes["sum"], 3), **values)


def _share_note(explanation: RatingExplanation) -> str:
    """Return `Share = 0.71 of 10.63 player-rounds on the field`."""
    notes = explanation.notes
    share = next((each.value for each in explanation.factors if each.name == "share"), None)
    if share is None or not {"rounds_own", "rounds_other"} <= notes.keys():
        return ""
    together = notes["rounds_own"] + notes["rounds_other"]
    words = _("Share = {own} of {all} player-rounds on the field.")
    return words.format(own=decimal_text(share * together, 2), all=decimal_text(together, 2))
