"""What would help Play Now most when no server fits: a rule left out this time, or a look at what cannot be joined."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filter_language import parse_filter
from browser_app.engine.standing import PlayOptions, standing_of
from browser_app.language import gettext as _
from browser_app.ranking.choose import Candidates, choose


@dataclass(frozen=True, slots=True)
class Easing:
    """One step: `options` to look with in place of the user's own, or `shown`, a filter of the list."""

    headline: str
    words: str
    """What the button says."""
    servers: int
    """How many it brings."""
    best: int
    """The best of them."""
    options: PlayOptions | None = None
    shown: str = ""


def best_easing(catalogue: Catalogue, options: PlayOptions) -> Easing | None:
    """The step that lets Play Now choose among most servers; if none does, the one that shows most; None if none helps.

    Only for the thread that owns the catalogue.
    """
    for steps in (_eased(catalogue, options), _shown(standing_of(catalogue, options).candidates)):
        best = max(steps, key=lambda step: step.servers, default=None)
        if best is not None:
            return best
    return None


def _eased(catalogue: Catalogue, options: PlayOptions) -> Iterator[Easing]:
    everything = parse_filter("")
    for headline, words, eased in (
        (
            _("Your Play Now filter costs the most."),
            _("Leave the filter out this time"),
            replace(options, wanted=everything),
        ),
        (_("You skip what would fit."), _("Take skipped servers too"), replace(options, skipped=frozenset())),
        (_("Only servers for rookies are left."), _("Take one of them this time"), replace(options, rookie=True)),
    ):
        if eased != options:
            order = choose(standing_of(catalogue, eased).candidates).order
            if len(order):
                yield Easing(headline, words, len(order), int(order[0]), options=eased)


def _shown(candidates: Candidates) -> Iterator[Easing]:
    """Servers that only this rule excludes."""
    failures = candidates.failures()
    times = np.sum(list(failures.values()), axis=0)
    for rule, headline, words, text in (
        ("full", _("What fits is full."), _("Show the full servers"), "full:yes -locked"),
        ("password", _("What fits needs a password."), _("Show the locked servers"), "locked:yes -full"),
    ):
        rows = np.flatnonzero(failures[rule] & (times == 1))
        if len(rows):
            best = rows[np.argmax(np.nan_to_num(candidates.score[rows], nan=-1.0))]
            yield Easing(headline, words, len(rows), int(best), shown=text)
