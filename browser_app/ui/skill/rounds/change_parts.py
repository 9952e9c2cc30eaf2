"""Why a rating changed by so much: the product of the model's factors, and the numbers behind them."""

from browser_app.language import gettext as _
from browser_app.rating.explanation import Explanation, Factor, Part
from browser_app.ui.skill.numbers import change_words, decimals_of, points_words
from browser_app.ui.skill.rounds.term_titles import factor_text, part_title

_LEAST_SHOWN = 5e-7


def products(explanation: Explanation) -> tuple[str, ...]:
    """One line a part, `50 points × rate 4.17 × surprise 0.620 × your share 0.0668 = +8.6`; then what else moved."""
    if not explanation.parts:
        return (_("Nothing was learnt of you: you were there for too short a time, or without a score."),)
    decimals = decimals_of(explanation.system) + 1
    alone = len(explanation.parts) == 1
    lines = [_part_text(part, decimals, titled=not alone) for part in explanation.parts if alone or _shows(part)]
    if not alone:
        lines.append(_("Together: {change}").format(change=change_words(explanation.change, decimals)))
    also = [part for part in explanation.also if part.name != "sd" and _shows(part)]  # a note tells before and after
    lines += [_part_text(part, decimals, titled=True) for part in also]
    return tuple(lines)


def _shows(part: Part) -> bool:
    return abs(part.change) > _LEAST_SHOWN


def _part_text(part: Part, decimals: int, *, titled: bool) -> str:
    change = change_words(part.change, decimals)
    product = " × ".join(factor_text(each.name, factor_value(each)) for each in part.factors)
    line = f"{product} = {change}" if product else change
    return _("{part}: {value}").format(part=part_title(part.name), value=line) if titled else line


def factor_value(factor: Factor) -> str:
    """Written so that the product can be recalculated: four significant digits, whole numbers as such."""
    value = factor.value
    if value == round(value) and abs(value) < 1e6:
        return points_words(value)
    decimals = 4 if abs(value) < 0.1 else 3 if abs(value) < 1.0 else 2
    return points_words(value, decimals)


def by_scores(explanation: Explanation) -> bool:
    """Only scores count in this change, not which team won; against a single other they come to the same."""
    return explanation.system in ("elo-xonstat", "xonstat-go") and len(explanation.duels) > 1


def _duels_words(explanation: Explanation) -> str:
    if not by_scores(explanation):
        return _("A mean over {n} pairs of players across the teams.")
    if explanation.system == "xonstat-go":
        return _("A sum over {n} others, your own team among them: who scored more, whoever won.")
    return _("A mean over {n} others, your own team among them: your score a minute against theirs, whoever won.")


def change_notes(explanation: Explanation) -> tuple[str, ...]:
    """The numbers behind the factors, a sentence each."""
    notes, sentences = explanation.notes, []
    if explanation.system == "ns2":
        sentences.append(_rate_note(explanation))
        sentences.append(_share_note(explanation))
    if "games" in notes:
        words = _("K falls as rounds add up: you had {n} behind you.")
        sentences.append(words.format(n=points_words(notes["games"])))
    if explanation.duels:
        words = _duels_words(explanation)
        sentences.append(words.format(n=points_words(len(explanation.duels))))
    if "sd_before" in notes and "sd_after" in notes:
        decimals = decimals_of(explanation.system) + 1
        words = _("Standard deviation {before} before, {after} after.")
        before, after = (points_words(notes[name], decimals) for name in ("sd_before", "sd_after"))
        sentences.append(words.format(before=before, after=after))
    return (" ".join(filter(None, sentences)),) if any(sentences) else ()


def _rate_note(explanation: Explanation) -> str:
    notes = explanation.notes
    if not {"c", "a", "sum", "epsilon"} <= notes.keys():
        return ""
    values = {name: f"{notes[name]:g}" for name in ("c", "a", "epsilon")}
    words = _("Rate = {c} + {a} / √({sum} + {epsilon}): it falls as rounds add up.")
    return words.format(sum=f"{notes['sum']:.3f}", **values)


def _share_note(explanation: Explanation) -> str:
    """`Share = 0.71 of 10.63 player-rounds on the field.`."""
    notes = explanation.notes
    share = next((each.value for each in explanation.factors if each.name == "share"), None)
    if share is None or not {"rounds_own", "rounds_other"} <= notes.keys():
        return ""
    together = notes["rounds_own"] + notes["rounds_other"]
    words = _("Share = {own} of {all} player-rounds on the field.")
    return words.format(own=f"{share * together:.2f}", all=f"{together:.2f}")
