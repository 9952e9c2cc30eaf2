"""Snapshot of all known servers for Play Now."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools, Floats
from browser_app.catalogue.server_filter import ServerFilter, parse_filter
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget
from browser_app.catalogue.suspicion import SuspicionMark, rows_with_impossible_ping
from browser_app.engine.cancel_token import CancelToken
from browser_app.games.game_profile import RankingConstants
from browser_app.protocols.address import Address
from browser_app.ranking.play_now_choice import PlayNowCandidates, choice_reasons
from browser_app.ranking.ranking_inputs import RankingConstantsTable, RankingInputs
from browser_app.ranking.score_factors import is_full
from browser_app.ranking.score_text import TranslatableText
from browser_app.ranking.server_score import compute_scores


@dataclass(frozen=True, slots=True)
class CatalogueSnapshot:
    """One moment; what `make_snapshot` makes shares nothing with the catalogue, so that it may go to another thread."""

    targets: Sequence[QueryTarget]
    inputs: RankingInputs
    constants: RankingConstantsTable
    candidates: PlayNowCandidates
    """Here `doubted` is who has a mark of doubt, whether asked again or not."""

    def choice_reason(self, row: int) -> tuple[TranslatableText, ...]:
        """Why somebody would choose this server (see `ranking.reason`)."""
        inputs = self.inputs.select_rows(np.array([row], dtype=np.intp))
        numbers: dict[str, Any] = {
            name: column[0] for name, column in self.constants.columns_for(inputs.constants_row).items()
        }
        return choice_reasons(inputs, RankingConstants(**numbers))


@dataclass(frozen=True)
class PlayOptions:
    """What the user wants of Play Now."""

    server_filter: ServerFilter = field(default_factory=lambda: parse_filter(""))
    """Servers that do not pass are no candidates."""
    player_skill: Mapping[str, float] = field(default_factory=dict)
    """The user's own by game id, in the game's points."""
    preset: RankingConstants | None = None
    """Stands in for every game's own constants."""
    is_rookie: bool = False
    """The user may play on servers for rookies only."""
    skipped_addresses: frozenset[Address] = frozenset()
    """Servers that are not to be chosen this time; they count as filtered."""
    own_versions: Mapping[str, str] = field(default_factory=dict)
    """The version of the user's own game by game id, where it is known and must be the server's."""


def make_snapshot(catalogue: Catalogue, options: PlayOptions) -> CatalogueSnapshot:
    """The standing now. Only for the thread that owns the catalogue; a few milliseconds for 20,000 servers."""
    everybody = np.arange(len(catalogue), dtype=np.intp)
    inputs = catalogue.ranking_inputs(options.player_skill).select_rows(everybody)
    constants = catalogue.ranking_constants(options.preset)
    candidates = _candidates(catalogue, options, inputs, compute_scores(inputs, constants).total)
    return CatalogueSnapshot(tuple(catalogue.targets), inputs, constants, candidates)


def make_scored_snapshot(catalogue: Catalogue, options: PlayOptions) -> CatalogueSnapshot:
    """The standing by the scores as they were last worked out, with the `options`' skill and preset or others.

    It is the catalogue's own columns, so for the thread that owns it and for the moment only; a tenth of the time.
    """
    inputs = catalogue.last_ranking_inputs
    if inputs is None or len(inputs) < len(catalogue):
        return make_snapshot(catalogue, options)
    constants = catalogue.ranking_constants(options.preset)
    return CatalogueSnapshot(
        catalogue.targets, inputs, constants, _candidates(catalogue, options, inputs, catalogue.score)
    )


def _candidates(catalogue: Catalogue, options: PlayOptions, inputs: RankingInputs, scores: Floats) -> PlayNowCandidates:
    return PlayNowCandidates(
        score=scores,
        ping_ms=inputs.ping_ms,
        address=catalogue.address.ranks(),
        answered=catalogue.status == QueryStatus.OK,
        is_full=is_full(inputs),
        password=inputs.password,
        password_saved=catalogue.password_saved.copy(),
        blocked=inputs.blocked,
        has_other_version=_version_differs(catalogue, options.own_versions),
        requires_rookie=(catalogue.rookie_only > 0) & (not options.is_rookie),
        is_filtered_out=_filtered_out(catalogue, options),
        recently_left=inputs.recently_left,
        is_suspicious=_suspicious(catalogue),
    )


def _filtered_out(catalogue: Catalogue, options: PlayOptions) -> Bools:
    filtered = ~options.server_filter.matching_rows(catalogue)
    filtered |= catalogue.quick_play == 0
    rows = [row for address in options.skipped_addresses if (row := catalogue.row_of(address)) is not None]
    filtered[rows] = True
    return filtered


def _suspicious(catalogue: Catalogue) -> Bools:
    """Servers with a mark of doubt. That of the ping is looked at anew: scores, with which it is set, may be older."""
    told: Bools = catalogue.suspicions & ~SuspicionMark.PING_TOO_LOW > 0
    return told | rows_with_impossible_ping(catalogue, catalogue.own_country)


def _version_differs(catalogue: Catalogue, own_versions: Mapping[str, str]) -> Bools:
    differs = np.zeros(len(catalogue), np.bool_)
    for game, version in own_versions.items():
        folded = version.casefold()
        differs |= catalogue.game.matching_rows(game.__eq__) & catalogue.version.matching_rows(folded.__ne__)
    return differs


class ServerDirectory(Protocol):
    """What Play Now works on. Its run calls this from its own thread; whoever implements it sees to it that the
    catalogue is touched by nobody but the thread that owns it, and returns when that is done."""

    def snapshot(self) -> CatalogueSnapshot:
        """How things stand."""

    def merge_results(self, answers: Sequence[QueryResult]) -> None:
        """Merge fresh answers: the next standing knows them."""

    def refresh(self, cancel_token: CancelToken) -> None:
        """Ask masters and servers anew and merge what comes; return when that is over, or soon after `cancel_token` is
        set.
        """


@dataclass(frozen=True)
class LocalServerDirectory:
    """The directory for a Play Now that runs in the thread which owns the catalogue."""

    catalogue: Catalogue
    options: PlayOptions
    poll_servers: Callable[[CancelToken], None]
    """Does what `refresh` is to do."""

    def snapshot(self) -> CatalogueSnapshot:
        """How things stand."""
        return make_snapshot(self.catalogue, self.options)

    def merge_results(self, answers: Sequence[QueryResult]) -> None:
        """Merge fresh answers."""
        self.catalogue.merge(answers)

    def refresh(self, cancel_token: CancelToken) -> None:
        """Ask masters and servers anew."""
        self.poll_servers(cancel_token)
