"""A round of the plot in words, for the box beside it and for those who listen; and the plot as a whole."""

import math
from typing import NamedTuple

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.own_history import OwnHistory
from browser_app.player.sampled_course import SampledCourse
from browser_app.player.sources import SourceKind
from browser_app.ui.plots.moments import DAY_S, clock_time, date_of
from browser_app.ui.skill.numbers import chance_words, change_words, decimals_of, points_words
from browser_app.ui.skill.over_time.trace import Trace
from browser_app.ui.skill.round_marks import DRAWN, LOST, WON
from browser_app.ui.skill.team_titles import team_title


class RoundWords(NamedTuple):
    """One round, or one value that was read, in four lines; a line that has nothing to say is empty."""

    heading: str
    result: str
    change: str
    hint: str

    @property
    def lines(self) -> tuple[str, ...]:
        """Those that say something."""
        return tuple(line for line in self if line)

    @property
    def spoken(self) -> str:
        """All of it in one line."""
        return ". ".join(self.lines)


def round_words(history: OwnHistory, row: int) -> RoundWords:
    """`18 Jul 20:14, ns2_biodome, Marines`, `Lost with 37 % to win, there for 100 %`, `−4.9: 1 576 → 1 571`."""
    when = _minute(float(history.started[row]))
    names = (_name(history.maps, int(history.map[row])), _team(history, row))
    return RoundWords(
        ", ".join((when, *filter(None, names))),
        _result(history, row),
        _change(history, row),
        _("Enter opens the round"),
    )


def sample_words(course: SampledCourse, number: int) -> RoundWords:
    """`The game said 1 630` or `XonStat said 1 796 ± 88, ctf`, `Read 3 Nov 12:10 to 5 Nov 8:10`."""
    said, doubt = points_words(float(course.points[number])), float(course.sd[number])
    if not math.isnan(doubt):
        said = _("{points} ± {doubt}").format(points=said, doubt=points_words(doubt))
    told = sampled_title(course)
    since, until = float(course.since[number]), float(course.until[number])
    if _minute(since) == _minute(until):
        read = _("Read {moment}").format(moment=_minute(since))
    else:
        read = _("Read from {first} to {last}").format(first=_minute(since), last=_minute(until))
    return RoundWords(_("{title}: {value}").format(title=told, value=said), read, "", "")


def sampled_title(course: SampledCourse) -> str:
    """What such a course is called."""
    if course.source is SourceKind.STEAM:
        return _("What the game said")
    return _("What XonStat said, {mode}").format(mode=course.mode)


def sampled_words(course: SampledCourse) -> str:
    """`What the game said, sampled: 12 values, 3 Nov to 21 Nov, the last one 1 630`."""
    words = ngettext(
        "{title}, {n} sample, {first} to {last}, the last one {value}",
        "{title}, {n} samples, {first} to {last}, the last one {value}",
        len(course),
    )
    first, last = map(date_of, course.ends)
    value = points_words(float(course.points[-1]))
    return words.format(title=sampled_title(course), n=points_words(len(course)), first=first, last=last, value=value)


def _minute(moment: float) -> str:
    return f"{date_of(moment)} {clock_time(moment)}"


def _name(names: tuple[str, ...], number: int) -> str:
    return names[number] if number >= 0 else ""


def _team(history: OwnHistory, row: int) -> str:
    """Empty where everybody plays for himself: such a team is called by its only player's id."""
    team = _name(history.teams, int(history.team[row]))
    return "" if team == history.player else team_title(team)


def _result(history: OwnHistory, row: int) -> str:
    chance, share = float(history.probability[row]), float(history.share[row])
    template = {
        WON: _("Won with {chance} to win, there for {share}"),
        LOST: _("Lost with {chance} to win, there for {share}"),
        DRAWN: _("Drawn with {chance} to win, there for {share}"),
    }.get(float(history.outcome[row]), _("Outcome unknown, {chance} to win, there for {share}"))
    approximate = "~" if history.approximate[row] else ""
    return template.format(chance=chance_words(chance), share=approximate + chance_words(share))


def _change(history: OwnHistory, row: int) -> str:
    places = decimals_of(history.system)
    before, after = float(history.before[row]), float(history.after[row])
    change = change_words(after - before, places + 1)
    return f"{change}: {points_words(before, places)} → {points_words(after, places)}"


def gap_words(first: float, last: float) -> str:
    """`not played, 23 days`."""
    days = round((last - first) / DAY_S)
    return ngettext("not played, {n} day", "not played, {n} days", days).format(n=points_words(days))


def span_words(trace: Trace, points: slice) -> str:
    """`214 rounds, 28 Mar to 7 Aug`."""
    shown = trace.time[points]
    if not len(shown):
        return _("No rounds in this span")
    first, last = date_of(float(shown[0])), date_of(float(shown[-1]))
    count = ngettext("{n} round", "{n} rounds", len(shown)).format(n=points_words(len(shown)))
    if first == last:
        return _("{rounds}, {day}").format(rounds=count, day=first)
    return _("{rounds}, {first} to {last}").format(rounds=count, first=first, last=last)


def course_words(history: OwnHistory, trace: Trace, points: slice) -> str:
    """The picture in two or three sentences: how many rounds, from where to where, the extremes, the gaps."""
    value = trace.value[points]
    if not len(value):
        return _("No rounds in this span")
    places = decimals_of(history.system)
    first, last, least, most = (
        points_words(float(each), places) for each in (value[0], value[-1], value.min(), value.max())
    )
    sentences = [
        span_words(trace, points),
        _("From {first} to {last}, least {least}, most {most}").format(first=first, last=last, least=least, most=most),
    ]
    seen_first, seen_last = float(trace.time[points][0]), float(trace.time[points][-1])
    sentences += [gap_words(*gap) for gap in trace.gaps if gap[0] >= seen_first and gap[1] <= seen_last]
    return ". ".join(sentences)
