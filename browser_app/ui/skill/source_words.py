"""Where a skill comes from, source by source, in words: what each says, and why two differ."""

import time
from collections.abc import Sequence

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.sources import SourceKind, SourceState
from browser_app.ui.plots.moments import date_of
from browser_app.ui.skill.numbers import points_words
from browser_app.ui.texts import age_text, thousands

SCALES = {SourceKind.STEAM: "ns2", SourceKind.XONSTAT: "xonstat-go"}
"""The rating system whose scale a source's numbers are on; no other is held against them."""
_LEAST_GAP = 0.5
"""Points; less is not shown by whole numbers."""


def source_title(kind: SourceKind) -> str:
    """What a source is called."""
    return {
        SourceKind.RECORD: _("Own record"),
        SourceKind.STEAM: _("Steam user stats"),
        SourceKind.XONSTAT: _("XonStat"),
        SourceKind.TYPED: _("Typed in"),
    }[kind]


def source_words(state: SourceState, own: float | None, system: str = "") -> str:
    """What it says; `own` is the rating by the own record under a system, held against what is on the same scale."""
    if state.error:
        return state.error
    if not state.on:
        return _("not used")
    if state.kind is SourceKind.RECORD:
        return _record_words(state)
    if state.points is None:
        return _("nothing was said yet")
    said = points_words(state.points)
    if state.kind is SourceKind.TYPED:
        return said
    words = _("the game says {points}") if state.kind is SourceKind.STEAM else _("it says {points}")
    gap = None if own is None or SCALES.get(state.kind) != system else state.points - own
    told = words.format(points=said)
    return told if gap is None else _("{told}, {gap}").format(told=told, gap=_gap_words(gap))


def source_line(state: SourceState, own: float | None, system: str) -> str:
    """The same where one line has to do: every mode, of a source that tells them apart."""
    if state.on and state.modes and not state.error:
        return ", ".join(_mode_words(mode, *said) for mode, said in state.modes.items())
    return source_words(state, own, system)


def _mode_words(mode: str, mean: float, sd: float) -> str:
    return _("{mode} {mean} ± {sd}").format(mode=mode, mean=points_words(mean), sd=points_words(sd))


def _record_words(state: SourceState) -> str:
    if not state.rounds:
        return _("no rounds yet")
    rounds = ngettext("{n} round", "{n} rounds", state.rounds).format(n=thousands(state.rounds))
    mine = _("{rounds}, {n} of them yours").format(rounds=rounds, n=thousands(state.mine or 0))
    if not state.folders:
        return mine
    folders = ngettext("{n} folder watched", "{n} folders watched", state.folders).format(n=state.folders)
    return _("{rounds}; {folders}").format(rounds=mine, folders=folders)


def _gap_words(gap: float) -> str:
    if abs(gap) < _LEAST_GAP:
        return _("as your record does")
    words = _("{n} more than your record") if gap > 0 else _("{n} less than your record")
    return words.format(n=points_words(abs(gap)))


def why_they_differ(states: Sequence[SourceState], own: float | None, system: str) -> str:
    """Why a number from elsewhere is not that of the own record; empty where none is at hand."""
    alike = [state for state in states if SCALES.get(state.kind) == system]
    told = [state for state in alike if state.on and state.points is not None and not state.error]
    apart = {state.kind for state in told if own is not None and abs((state.points or 0.0) - own) >= _LEAST_GAP}
    if SourceKind.STEAM in apart:
        return _("Your record cannot know rounds played on other computers. The game’s number can: hence the gap.")
    if SourceKind.XONSTAT in apart:
        return _("XonStat knows rounds of servers that report to it, your record those of your files: hence the gap.")
    return ""


def kept_words(state: SourceState) -> str:
    """`12 samples since 3 Nov`; empty where none is kept, or the source is not used."""
    if not state.on or state.kept_since is None:
        return ""
    words = ngettext("{n} sample since {day}", "{n} samples since {day}", state.kept)
    return words.format(n=thousands(state.kept), day=date_of(state.kept_since))


def ago_words(moment: float | None, now: float | None = None) -> str:
    """`2 min ago`; empty where it never was. Unix times, s."""
    if moment is None:
        return ""
    return _("{age} ago").format(age=age_text(max(0.0, (time.time() if now is None else now) - moment)))
