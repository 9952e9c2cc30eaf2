"""Suggestions of Play Now for when no server fits."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import RowIds
from browser_app.catalogue.game_servers import most_played_games
from browser_app.engine.catalogue_snapshot import PlayOptions, ServerScope, build_snapshot
from browser_app.language import gettext as _
from browser_app.ranking.play_now_choice import ExclusionReason, PlayNowCandidates, choose_servers


@dataclass(frozen=True, slots=True)
class FilterRelaxation:
    """A suggestion for what to change.

    `options` to use instead of the user's own, a list filter to show, or a website to open.
    """

    headline: str
    button_text: str
    """Text of the button."""
    servers: int
    """Number of servers it adds."""
    best_server: int
    """The best of them."""
    options: PlayOptions | None = None
    list_filter: str = ""
    url: str = ""


def best_relaxation(catalogue: Catalogue, options: PlayOptions, all_servers: ServerScope) -> FilterRelaxation | None:
    """Return the suggestion that makes most servers eligible.

    If none does, it is the one that shows most servers, or a game to install. Returns None if none helps. `all_servers`
    is the widest scope. Must be called in the thread that owns the catalogue.
    """
    candidates = build_snapshot(catalogue, options).candidates
    for suggestions in (
        _relaxed_rules(catalogue, options, all_servers),
        _excluded_only_by_rule(candidates),
        _game_to_install(catalogue, candidates),
    ):
        best = max(suggestions, key=lambda each: each.servers, default=None)
        if best is not None:
            return best
    return None


def _relaxed_rules(catalogue: Catalogue, options: PlayOptions, all_servers: ServerScope) -> Iterator[FilterRelaxation]:
    for headline, text, relaxed in (
        (
            _("Other servers can be joined."),
            _("Choose from all servers"),
            replace(options, scope=all_servers),
        ),
        (
            _("Suitable servers were skipped."),
            _("Include skipped servers"),
            replace(options, skipped_addresses=frozenset(), skipped_games=frozenset()),
        ),
        (_("Only rookie servers are left."), _("Allow them this time"), replace(options, is_rookie=True)),
    ):
        if relaxed != options:
            order = choose_servers(build_snapshot(catalogue, relaxed).candidates).ranked
            if len(order):
                yield FilterRelaxation(headline, text, len(order), int(order[0]), options=relaxed)


def _excluded_only_by_rule(candidates: PlayNowCandidates) -> Iterator[FilterRelaxation]:
    """Yield a suggestion for each rule that alone excludes servers."""
    full, locked = ExclusionReason.FULL, ExclusionReason.PASSWORD
    for rule, headline, text, list_filter in (
        (full, _("Suitable servers are full or closed."), _("Show full servers"), "(full | closed) -locked"),
        (locked, _("Suitable servers need a password."), _("Show locked servers"), "locked:yes -full -closed"),
    ):
        rows = _rows_excluded_only_by(candidates, rule)
        if len(rows):
            best = _best_row(candidates, rows)
            yield FilterRelaxation(headline, text, len(rows), best, list_filter=list_filter)


def _game_to_install(catalogue: Catalogue, candidates: PlayNowCandidates) -> Iterator[FilterRelaxation]:
    """Yield the game with most players, to be installed.

    Servers count only if they are excluded for nothing else.
    """
    missing = _rows_excluded_only_by(candidates, ExclusionReason.NOT_INSTALLED)
    for profile, _players in most_played_games(catalogue, ~candidates.is_filtered_out, 1):
        rows = np.array([row for row in missing.tolist() if catalogue.game[row] == profile.id], np.intp)
        if len(rows) and profile.launch.install_url:
            headline = _("{game} is not installed.").format(game=profile.name)
            text, url = _("Get {game}").format(game=profile.name), profile.launch.install_url
            yield FilterRelaxation(headline, text, len(rows), _best_row(candidates, rows), url=url)


def _rows_excluded_only_by(candidates: PlayNowCandidates, rule: ExclusionReason) -> RowIds:
    failures = candidates.rule_failures()
    return np.flatnonzero(failures[rule] & (np.sum(list(failures.values()), axis=0) == 1))


def _best_row(candidates: PlayNowCandidates, rows: RowIds) -> int:
    return int(rows[np.argmax(np.nan_to_num(candidates.score[rows], nan=-1.0))])
