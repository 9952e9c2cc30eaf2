"""Snapshot of all known servers for Play Now."""

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools, Floats
from browser_app.catalogue.filters.server_filter import ServerFilter, parse_filter
from browser_app.catalogue.game_servers import other_game_rows, other_version_rows
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget
from browser_app.catalogue.suspicion import current_suspicions
from browser_app.engine.cancel_token import CancelToken
from browser_app.games.game_profile import RankingConstants
from browser_app.protocols.address import Address
from browser_app.ranking.play_now_choice import PlayNowCandidates, choice_reasons
from browser_app.ranking.ranking_inputs import RankingConstantsTable, RankingInputs
from browser_app.ranking.score_factors import unjoinable_mask
from browser_app.ranking.score_text import TranslatableText
from browser_app.ranking.server_score import compute_scores


class ServerScope(Protocol):
    """The servers that Play Now chooses from: a `ServerFilter`, or a list on screen."""

    def matching_rows(self, catalogue: Catalogue) -> Bools:
        """Return a flag per row, True where it is in the scope.

        The array belongs to the caller.
        """


class FilterRule(enum.Enum):
    """Rules whose servers are excluded as `ExclusionReason.FILTERED`."""

    OUT_OF_SCOPE = "out of scope"
    OTHER_GAME = "other game"
    """A game that the user does not play."""
    SKIPPED = "skipped"
    NO_QUICK_PLAY = "no quick play"
    """The server does not want to be chosen by Play Now."""


@dataclass(frozen=True, slots=True)
class CatalogueSnapshot:
    """All known servers at one moment.

    One from `build_snapshot` shares nothing with the catalogue and may change threads.
    """

    targets: Sequence[QueryTarget]
    inputs: RankingInputs
    constants: RankingConstantsTable
    candidates: PlayNowCandidates
    """`is_suspicious` marks every suspicious server, whether verified or not."""
    ping_estimated: Bools
    """Which pings are estimated."""
    filtered: Mapping[FilterRule, Bools]
    """Which servers fail each of the rules behind `candidates.is_filtered_out`."""

    @property
    def in_scope(self) -> Bools:
        """The servers that Play Now chooses from, eligible or not."""
        return ~self.filtered[FilterRule.OUT_OF_SCOPE]

    def explain_choice(self, row: int) -> tuple[TranslatableText, ...]:
        """Return the reasons to choose a server; see `choice_reasons`."""
        inputs = self.inputs.select_rows(np.array([row], dtype=np.intp))
        columns = self.constants.columns_for(inputs.constants_row)
        numbers: dict[str, Any] = {name: column[0] for name, column in columns.items()}
        return choice_reasons(inputs, RankingConstants(**numbers), ping_estimated=bool(self.ping_estimated[row]))


@dataclass(frozen=True)
class PlayOptions:
    """The user's options for Play Now."""

    scope: ServerScope = field(default_factory=lambda: parse_filter(""))
    """Only these servers are candidates."""
    game_filter: ServerFilter = field(default_factory=lambda: parse_filter(""))
    """The games that the user plays."""
    player_skill: Mapping[str, float] = field(default_factory=dict)
    """The user's own skill by game id, in the game's points."""
    preset: RankingConstants | None = None
    """Replaces the constants of every game."""
    is_rookie: bool = False
    """The user may play on rookie-only servers."""
    skipped_addresses: frozenset[Address] = frozenset()
    """Servers excluded this time; they count as filtered out."""
    skipped_games: frozenset[str] = frozenset()
    """Ids of games excluded this time, likewise."""
    own_versions: Mapping[str, str] = field(default_factory=dict)
    """Version of the user's own game by game id, if known and required to match."""
    playable_games: frozenset[str] | None = None
    """Ids of the games that can be started here, or that the user asked for anyway; None for all games."""


def build_snapshot(catalogue: Catalogue, options: PlayOptions) -> CatalogueSnapshot:
    """Score all servers and return them; only for the thread that owns the catalogue.

    Takes a few milliseconds for 20,000 servers.
    """
    all_rows = np.arange(len(catalogue), dtype=np.intp)
    inputs = catalogue.ranking_inputs(options.player_skill).select_rows(all_rows)
    constants = catalogue.ranking_constants(options.preset)
    filtered = _find_filtered_rows(catalogue, options)
    candidates = _build_candidates(catalogue, options, inputs, compute_scores(inputs, constants).total, filtered)
    estimated = catalogue.ping_estimated[all_rows]
    return CatalogueSnapshot(tuple(catalogue.targets), inputs, constants, candidates, estimated, filtered)


def build_scored_snapshot(catalogue: Catalogue, options: PlayOptions) -> CatalogueSnapshot:
    """Return a snapshot with the last computed scores.

    They may be based on another skill or preset. It shares the catalogue's columns: only for the thread that owns it,
    until the catalogue changes. Takes a tenth of the time of `build_snapshot`.
    """
    inputs = catalogue.last_ranking_inputs
    if inputs is None or len(inputs) < len(catalogue):
        return build_snapshot(catalogue, options)
    constants = catalogue.ranking_constants(options.preset)
    filtered = _find_filtered_rows(catalogue, options)
    candidates = _build_candidates(catalogue, options, inputs, catalogue.score, filtered)
    return CatalogueSnapshot(catalogue.targets, inputs, constants, candidates, catalogue.ping_estimated, filtered)


def _build_candidates(
    catalogue: Catalogue,
    options: PlayOptions,
    inputs: RankingInputs,
    scores: Floats,
    filtered: Mapping[FilterRule, Bools],
) -> PlayNowCandidates:
    return PlayNowCandidates(
        score=scores,
        ping_ms=inputs.ping_ms,
        address=catalogue.address.ranks(),
        answered=catalogue.status == QueryStatus.OK,
        is_unjoinable=unjoinable_mask(inputs.players, inputs.usable_slots, inputs.can_join),
        password=inputs.password,
        password_saved=catalogue.password_saved.copy(),
        blocked=inputs.blocked,
        has_other_version=other_version_rows(catalogue, options.own_versions),
        requires_rookie=(catalogue.rookie_only > 0) & (not options.is_rookie),
        is_filtered_out=np.logical_or.reduce(list(filtered.values())),
        recently_left=inputs.recently_left | catalogue.left_early,
        not_installed=other_game_rows(catalogue, options.playable_games),
        is_suspicious=current_suspicions(catalogue, catalogue.own_country, catalogue.games) > 0,
        is_unoccupied=~catalogue.occupied,
    )


def _find_filtered_rows(catalogue: Catalogue, options: PlayOptions) -> dict[FilterRule, Bools]:
    skipped = catalogue.game.matching_rows(options.skipped_games.__contains__)
    skipped[[row for address in options.skipped_addresses if (row := catalogue.row_of(address)) is not None]] = True
    return {
        FilterRule.OUT_OF_SCOPE: ~options.scope.matching_rows(catalogue),
        FilterRule.OTHER_GAME: ~options.game_filter.matching_rows(catalogue),
        FilterRule.SKIPPED: skipped,
        FilterRule.NO_QUICK_PLAY: catalogue.quick_play == 0,
    }


class ServerDirectory(Protocol):
    """Servers that Play Now works on.

    A run calls this from its own thread. Implementations make sure that only the thread that owns the catalogue touches
    it, and return when that is done.
    """

    def snapshot(self) -> CatalogueSnapshot:
        """Return all servers as known now."""

    def merge_results(self, answers: Sequence[QueryResult]) -> None:
        """Merge query results; the next snapshot contains them."""

    def refresh(self, cancel_token: CancelToken) -> None:
        """Poll masters and servers and merge the results.

        Returns when done, or soon after `cancel_token` is set.
        """


@dataclass(frozen=True)
class LocalServerDirectory:
    """Server directory for a Play Now run in the thread that owns the catalogue."""

    catalogue: Catalogue
    options: PlayOptions
    poll_servers: Callable[[CancelToken], object]
    """Implements `refresh`."""

    def snapshot(self) -> CatalogueSnapshot:
        """Return all servers as known now."""
        return build_snapshot(self.catalogue, self.options)

    def merge_results(self, answers: Sequence[QueryResult]) -> None:
        """Merge query results."""
        self.catalogue.merge(answers)

    def refresh(self, cancel_token: CancelToken) -> None:
        """Poll masters and servers."""
        self.poll_servers(cancel_token)
