"""Texts of the rating plot: tooltips and accessible summary."""

import math
from typing import NamedTuple

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.own_history import OwnHistory
from browser_app.player.skill_sources import SkillSampleSeries, SkillSourceKind
from browser_app.ui.skill.outcome_marker import DRAWN, LOST, WON
from browser_app.ui.skill.over_time.rating_curve import RatingCurve
from browser_app.ui.skill.rating_format import (
    format_chance,
    format_change,
    format_points,
    format_share,
    rating_decimals,
    team_title,
)
from browser_app.ui.widgets.value_text import DAY_S, clock_time_text, date_with_year_text


class PlotTooltip(NamedTuple):
    """A round or a sampled value in four lines; empty lines are left out."""

    heading: str
    result: str
    change: str
    hint: str

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that are not empty."""
        return tuple(line for line in self if line)

    @property
    def accessible_text(self) -> str:
        """All lines as one."""
        return ". ".join(self.lines)


def round_tooltip(history: OwnHistory, row: int) -> PlotTooltip:
    """Describe a round: when and where, its result, and its change.

    For example `18 Jul 20:14, ns2_biodome, Marines`, `Lost (37 % win chance), present 100 %`, `−4.9: 1 576 → 1 571`.
    """
    when = _date_time_text(float(history.started[row]))
    names = (_name_at(history.maps, int(history.map[row])), _team_name(history, row))
    return PlotTooltip(
        ", ".join((when, *filter(None, names))),
        _result_text(history, row),
        _change_text(history, row),
        _("Press Enter to open the round"),
    )


def sample_tooltip(sampled: SkillSampleSeries, number: int) -> PlotTooltip:
    """Describe a sample: its value, and when it was read.

    `In-game skill: 1 630` and `Read from 3 Nov 12:10 to 5 Nov 8:10`.
    """
    value, uncertainty = format_points(float(sampled.points[number])), float(sampled.sd[number])
    if not math.isnan(uncertainty):
        value = _("{points} ± {uncertainty}").format(points=value, uncertainty=format_points(uncertainty))
    title = sampled_series_title(sampled)
    since, until = float(sampled.first_read[number]), float(sampled.last_read[number])
    if _date_time_text(since) == _date_time_text(until):
        read = _("Read {moment}").format(moment=_date_time_text(since))
    else:
        read = _("Read from {first} to {last}").format(first=_date_time_text(since), last=_date_time_text(until))
    return PlotTooltip(_("{title}: {value}").format(title=title, value=value), read, "", "")


def sampled_series_title(sampled: SkillSampleSeries) -> str:
    """Return the title of a series of samples."""
    if sampled.source is SkillSourceKind.STEAM:
        return _("In-game skill")
    return _("XonStat skill, {mode}").format(mode=sampled.mode)


def sampled_series_text(sampled: SkillSampleSeries) -> str:
    """Return `In-game skill, 12 samples, 3 Nov to 21 Nov, latest 1 630`."""
    words = ngettext(
        "{title}, {n} sample, {first} to {last}, latest {value}",
        "{title}, {n} samples, {first} to {last}, latest {value}",
        len(sampled),
    )
    first, last = map(date_with_year_text, sampled.time_range)
    value = format_points(float(sampled.points[-1]))
    return words.format(
        title=sampled_series_title(sampled), n=format_points(len(sampled)), first=first, last=last, value=value
    )


def _date_time_text(moment: float) -> str:
    return f"{date_with_year_text(moment)} {clock_time_text(moment)}"


def _name_at(names: tuple[str, ...], number: int) -> str:
    return names[number] if number >= 0 else ""


def _team_name(history: OwnHistory, row: int) -> str:
    """Return the team's name.

    Empty in free-for-all modes, where a team is named after its player's id.
    """
    team = _name_at(history.teams, int(history.team[row]))
    return "" if team == history.player else team_title(team)


def _result_text(history: OwnHistory, row: int) -> str:
    chance, share = float(history.probability[row]), float(history.share[row])
    template = {
        WON: _("Won ({chance} win chance), present {share}"),
        LOST: _("Lost ({chance} win chance), present {share}"),
        DRAWN: _("Drawn ({chance} win chance), present {share}"),
    }.get(float(history.outcome[row]), _("Result unknown ({chance} win chance), present {share}"))
    approximate = "~" if history.approximate[row] else ""
    return template.format(chance=format_chance(chance), share=approximate + format_share(share))


def _change_text(history: OwnHistory, row: int) -> str:
    decimals = rating_decimals(history.system)
    before, after = float(history.before[row]), float(history.after[row])
    change = format_change(after - before, decimals + 1)
    return f"{change}: {format_points(before, decimals)} → {format_points(after, decimals)}"


def gap_text(first: float, last: float) -> str:
    """Return `not played, 23 days`."""
    days = round((last - first) / DAY_S)
    return ngettext("not played, {n} day", "not played, {n} days", days).format(n=format_points(days))


def time_span_text(curve: RatingCurve, points: slice) -> str:
    """Return `214 rounds, 28 Mar to 7 Aug`."""
    shown = curve.time[points]
    if not len(shown):
        return _("No rounds in this range")
    first, last = date_with_year_text(float(shown[0])), date_with_year_text(float(shown[-1]))
    if first == last:
        words = ngettext("{n} round, {first}", "{n} rounds, {first}", len(shown))
    else:
        words = ngettext("{n} round, {first} to {last}", "{n} rounds, {first} to {last}", len(shown))
    return words.format(n=format_points(len(shown)), first=first, last=last)


def plot_summary_text(history: OwnHistory, curve: RatingCurve, points: slice) -> str:
    """Return the plot as sentences: rounds, first and last value, extremes, gaps."""
    value = curve.value[points]
    if not len(value):
        return _("No rounds in this range")
    decimals = rating_decimals(history.system)
    ends = {"first": value[0], "last": value[-1], "least": value.min(), "most": value.max()}
    texts = {name: format_points(float(each), decimals) for name, each in ends.items()}
    extremes = _("From {first} to {last}, lowest {least}, highest {most}.").format(**texts)
    sentences = [time_span_text(curve, points) + ".", extremes]
    seen_first, seen_last = float(curve.time[points][0]), float(curve.time[points][-1])
    for gap_start, gap_end in curve.gaps:
        if gap_start >= seen_first and gap_end <= seen_last:
            days = round((gap_end - gap_start) / DAY_S)
            words = ngettext("Not played for {n} day.", "Not played for {n} days.", days)
            sentences.append(words.format(n=format_points(days)))
    return " ".join(sentences)
