"""The result of a system comparison in sentences."""

from collections.abc import Iterator

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.rating.evaluation.forecast_scores import Z95
from browser_app.rating.evaluation.system_comparison import ComparedSystem, SystemComparison
from browser_app.ui.skill.rating_format import format_points, system_title
from browser_app.ui.widgets.value_text import list_text

_MAX_NAMED = 3
_MAX_MISCALIBRATED = 2
"""Systems whose calibration is mentioned; the plot shows all."""


def comparison_headline(comparison: SystemComparison) -> str:
    """Return the best system and those that may be as good."""
    if comparison.best is None:
        return _("None of these rounds can be scored.")
    best = system_title(comparison.best)
    if not comparison.within_uncertainty:
        return _("{best} predicts these rounds best.").format(best=best)
    if len(comparison.within_uncertainty) > _MAX_NAMED:
        template = _("{best} predicts these rounds best; {n} others may be just as good.")
        return template.format(best=best, n=len(comparison.within_uncertainty))
    others = ", ".join(map(system_title, comparison.within_uncertainty))
    return _("{best} predicts these rounds best; possibly just as good: {others}.").format(best=best, others=others)


def comparison_details(comparison: SystemComparison) -> str:
    """Return how clear the comparison is, in sentences.

    These are the runner-up's distance, whether baselines are beaten, and which systems are miscalibrated.
    """
    if comparison.best is None:
        return _("It needs rounds with a winner and players on both sides.")
    return " ".join(
        filter(
            None,
            (
                _runner_up_text(comparison),
                _baselines_text(comparison),
                _fewer_rounds_text(comparison),
                _blend_text(comparison),
                *_miscalibration_texts(comparison),
            ),
        )
    )


def _runner_up_text(comparison: SystemComparison) -> str:
    """Name systems with the same predictions as the best, then the next.

    Only the distance of the next has an uncertainty.
    """
    rivals = [
        row
        for row in comparison.systems
        if not (row.is_baseline or row.is_blend) and row.name != comparison.best and row.behind is not None
    ]
    same = [row for row in rivals if _is_same_as_best(row)]
    others = [row for row in rivals if not _is_same_as_best(row)]
    sentences = [_("{name} makes the same predictions.").format(name=system_title(row.name)) for row in same]
    return " ".join([*sentences, *map(_behind_text, others[:1])])


def _behind_text(second: ComparedSystem) -> str:
    behind = format_points(second.behind or 0.0, 3)
    if second.low is None or second.high is None:
        template = _("{name} is {behind} behind; there are too few rounds to rule out luck.")
        return template.format(name=system_title(second.name), behind=behind)
    if second.within_uncertainty:
        template = _("{name} is {behind} behind (95 % range {low} to {high}), which may be luck.")
    else:
        template = _("{name} is {behind} behind (95 % range {low} to {high}), more than luck explains.")
    low, high = format_points(second.low, 3), format_points(second.high, 3)
    return template.format(name=system_title(second.name), behind=behind, low=low, high=high)


def _is_same_as_best(row: ComparedSystem) -> bool:
    return row.low == row.high == 0.0


def _baselines_text(comparison: SystemComparison) -> str:
    unbeaten = [row for row in comparison.systems if row.is_baseline and row.behind is not None and not _is_beaten(row)]
    if not unbeaten or comparison.best is None:
        return ""
    better = [row for row in unbeaten if row.high is not None and row.high < 0.0]
    if better:
        template = _("So far, {best} is worse than {baseline}.")
    else:
        template = _("So far, {best} is not clearly better than {baseline}.")
    baseline = (better or unbeaten)[0]
    return template.format(best=system_title(comparison.best), baseline=system_title(baseline.name))


def _fewer_rounds_text(comparison: SystemComparison) -> str:
    """Name the systems that predicted only some of the rounds.

    Their distance is that on these.
    """
    most = max(row.rounds for row in comparison.systems)
    fewer = [row for row in comparison.systems if 0 < row.rounds < most and not (row.is_baseline or row.is_blend)]
    if not fewer:
        return ""
    names = list_text([f"{system_title(row.name)} ({format_points(row.rounds)})" for row in fewer])
    return _("Compared on fewer than the {n} rounds: {systems}.").format(n=format_points(most), systems=names)


def _blend_text(comparison: SystemComparison) -> str:
    """Describe the blend, and whether it predicts better than the best system."""
    blend = next((row for row in comparison.systems if row.is_blend and row.behind is not None), None)
    if blend is None or comparison.best is None:
        return ""
    is_better = blend.high is not None and blend.high < 0.0
    text = _("{blend} weighs all predictions by how good they were so far; it rates nobody.")
    if is_better:
        text = _(
            "{blend} weighs all predictions by how good they were so far and is better than {best}; it rates nobody."
        )
    return text.format(blend=system_title(blend.name), best=system_title(comparison.best))


def _is_beaten(row: ComparedSystem) -> bool:
    return row.low is not None and row.low > 0.0


def _miscalibration_texts(comparison: SystemComparison) -> Iterator[str]:
    """Yield sentences on systems whose slope is significantly not 1.

    Systems that predict the same as the best are left out.
    """
    miscalibrated = [
        (row.slope.value < 1.0, system_title(row.name))
        for row in comparison.systems
        if row.slope is not None
        and not (row.is_baseline or row.is_blend or _is_same_as_best(row))
        and abs(row.slope.value - 1.0) > Z95 * row.slope.sd
    ][:_MAX_MISCALIBRATED]
    for kind in dict.fromkeys(is_flat for is_flat, _name in miscalibrated):
        names = [name for is_flat, name in miscalibrated if is_flat is kind]
        if kind:
            words = ngettext(
                "{names} is overconfident: its line is flatter than the dashed one.",
                "{names} are overconfident: their lines are flatter than the dashed one.",
                len(names),
            )
        else:
            words = ngettext(
                "{names} is underconfident: its line is steeper than the dashed one.",
                "{names} are underconfident: their lines are steeper than the dashed one.",
                len(names),
            )
        yield words.format(names=list_text(names))
