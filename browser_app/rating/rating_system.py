"""Abstract rating system and its run over a record of rounds."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from browser_app.rating.fit_steps import FitStepCallback
from browser_app.rating.model_extra import ModelExtra
from browser_app.rating.progress_callback import ProgressCallback
from browser_app.rating.rating_explanation import ExplanationTitles, RatingExplanation
from browser_app.rating.rating_parameters import Parameter, ParameterSet, ParameterValue, resolve_parameters
from browser_app.rating.record.player_slots import RecordMapping
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.record.team_presence import StintWeight, stint_seconds
from browser_app.rating.round_prediction import Prediction

PublicScale: TypeAlias = Literal["", "ns2", "xonstat"]
"""A scale on which others publish skills: NS2's in-game skill, the skill of stats.xonotic.org, or none."""

_BLOCK = 4096  # rounds whose inputs are held as Python lists at one time


class Rating(NamedTuple):
    """A player's rating in the mode of a round.

    Attributes:
        value: rating or mean.
        sd: its standard deviation, None where the system has none.
        skewed_interval: bounds of the 90 % interval where it is not the symmetric one about `value`.
    """

    value: float
    sd: float | None = None
    skewed_interval: tuple[float, float] | None = None


class DeferredInference:
    """Run that infers true skills beside another run, and learns only when asked."""

    def __init__(self) -> None:
        self._run: RatingRun | None = None
        self._missing: list[tuple[int, int]] = []  # ranges of rounds

    def remember(self, first: int, last: int) -> None:
        """Note that the other run has learned from rounds first to last - 1."""
        missing = self._missing
        if missing and missing[-1][1] == first:
            missing[-1] = missing[-1][0], last
        else:
            missing.append((first, last))

    def catch_up(self, new_run: "Callable[[], RatingRun | None]") -> "RatingRun | None":
        """Return the run after all noted rounds; `new_run` creates it."""
        if self._run is None:
            self._run = new_run()
        if self._run is not None:
            for first, last in self._missing:
                self._run.update_range(first, last)
            self._missing.clear()
        return self._run

    def copy(self) -> "DeferredInference":
        """Return an independent copy for another run over the same record."""
        copied = DeferredInference()
        copied._missing = self._missing.copy()
        copied._run = None if self._run is None else self._run.transfer_to(self._run.record)
        return copied


class RatingRun(ABC):
    """State of one rating system over one record.

    Rounds are processed in the record's order, each at most once; a round index k is one of the whole record.
    Subclasses work on blocks: `_prepare_block` turns the columns of some thousand rounds into plain lists
    (vectorised), and methods with an underscore take the round's index i within that block.

    Attributes:
        points_per_unit: displayed points of one unit of a rating's value.
        record: the rounds.
        deferred_inference: for `infer_skills`; None where it returns None.
    """

    points_per_unit: ClassVar[float] = 1.0

    def __init__(self, record: RoundRecord) -> None:
        self.record = record
        self._first = self._last = 0
        self.deferred_inference: DeferredInference | None = DeferredInference()

    def skip_reason(self, k: int) -> str | None:
        """Return why round k changes nothing, as a `SkipReason` with its value, or None."""
        return self._skip_reason(self._block_index(k))

    def forecast(self, k: int) -> Prediction | None:
        """Return the chances before round k; None if a team would be empty.

        The result is also None for more than two teams where the system supports two only. All players count for the
        whole round on the team with most of their time; counts and quits are ignored. Where a system rates commanders,
        who commands a team longest does so for the whole round; if nobody does, nobody commands.
        """
        return self._forecast(self._block_index(k))

    def prediction(self, k: int) -> Prediction:
        """Return the chances that `update(k)` compares with the outcome.

        Players count with the time that they were present. Only for rated rounds.
        """
        return self._prediction(self._block_index(k))

    def update(self, k: int) -> None:
        """Learn from round k. Only for rated rounds."""
        self._update(self._block_index(k))
        if self.deferred_inference is not None:
            self.deferred_inference.remember(k, k + 1)

    def update_range(self, first: int, last: int) -> list[tuple[int, str]]:
        """Learn from rounds first to last - 1; return the unrated ones with the reasons.

        Faster than `skip_reason` and `update` round by round.
        """
        if self.deferred_inference is not None:
            self.deferred_inference.remember(first, last)
        unrated = list[tuple[int, str]]()
        skip_reason, update = self._skip_reason, self._update
        while first < last:
            i = self._block_index(first)
            end = min(last, self._last)
            for k in range(first, end):
                why = skip_reason(i)
                if why is None:
                    update(i)
                else:
                    unrated.append((k, why))
                i += 1
            first = end
        return unrated

    def ratings(self, k: int) -> Sequence[Rating]:
        """Return the current ratings of round k's appearances, in its mode."""
        return self._ratings(self._block_index(k))

    def rating_in_round(self, k: int, appearance: int) -> Rating:
        """Return the item of `ratings(k)` for an appearance (row of the record)."""
        return self.rating(int(self.record.player[appearance]), int(self.record.mode[k]))

    def explain(self, k: int, appearance: int) -> RatingExplanation:
        """Explain what `update(k)` would do to one of round k's appearances.

        The appearance is a row of the record. Does not change the run.

        Raises:
            ValueError: the round is not rated, or the appearance is not in it or was on no team.
        """
        i = self._block_index(k)
        if (why := self._skip_reason(i)) is not None:
            raise ValueError(f"round {k} is not rated: {why}")
        return self._explain(i, PlayerViewpoint(self.record, k, appearance))

    def transfer_to(self, record: RoundRecord) -> "RatingRun":
        """Return a run at the start of another record with the current ratings.

        Players are matched by id, modes and all else by name; unknown players are newcomers. Skills are
        inferred (`infer_skills`) in a run over the same record only.
        """
        run = self._transfer_to(record, RecordMapping(self.record, record))
        deferred = self.deferred_inference if record is self.record else None
        run.deferred_inference = None if deferred is None else deferred.copy()
        return run

    def simulate_single_round(self, single_round: RoundRecord, row: int) -> tuple[Rating, Rating]:
        """Return the ratings of an appearance before and after a record's only round.

        Does not change the run.
        """
        run = self.transfer_to(single_round)
        before = run.ratings(0)[row]
        if run.skip_reason(0) is None:
            run.update(0)
        return before, run.ratings(0)[row]

    @abstractmethod
    def rating(self, player: int, mode: int) -> Rating:
        """Return the current rating of a player (index) in a mode (index)."""

    def overall_rating(self, player: int) -> Rating:
        """Return the current rating over all modes, where there is one."""
        return self.rating(player, 0)

    def inferred_skill(self, player: int, mode: int | None) -> Rating | None:
        """Return the true skill inferred from the rounds: posterior mean and deviation.

        It gives the rating's interval (`find_interval_90`). None if the rating has a deviation or an interval that is
        right itself, or if neither is known. Without a mode it is about `overall_rating`.
        """
        inference = self.infer_skills()
        if inference is None:
            return None
        return inference.overall_rating(player) if mode is None else inference.rating(player, mode)

    def inferred_skill_in_round(self, k: int, appearance: int) -> Rating | None:
        """Return the inferred skill that belongs to `rating_in_round`."""
        inference = self.infer_skills()
        return None if inference is None else inference.rating_in_round(k, appearance)

    def inferred_commander_skill(self, player: int) -> Rating | None:
        """Return the inferred skill that belongs to `commander_rating`."""
        inference = self.infer_skills()
        return None if inference is None else inference.commander_rating(player)

    def infer_skills(self) -> "RatingRun | None":
        """Return a run that infers the true skills from the rounds learned so far.

        It takes as long as `update` of these rounds, so it is put off until it is needed. None if `rating` is such an
        inference, if the system has no model of true skills, or if this run is over another record than the rounds.
        """
        deferred = self.deferred_inference
        if deferred is None:
            return None
        inference = deferred.catch_up(self._new_inference)
        if inference is None:
            self.deferred_inference = None
        return inference

    def team_rating(self, player: int, mode: int, team: int) -> float:  # noqa: ARG002 (only some systems tell sides apart)
        """Return the strength of a player (index) in a mode (index) on team 0 or 1."""
        return self.rating(player, mode).value

    @property
    def rates_commanders(self) -> bool:
        """Whether commanding is a skill of its own."""
        return False

    def commander_rating(self, player: int) -> Rating:
        """Return the current commander skill of a player (index).

        Raises:
            NotImplementedError: the system does not rate commanders (see `rates_commanders`).
        """
        raise NotImplementedError(f"{type(self).__name__} has no commander skill of player {player}")

    def confident_points(self, player: int) -> float | None:  # noqa: ARG002 (only some systems have tiers)
        """Return the points that decide a player's tier, None without tiers."""
        return None

    @abstractmethod
    def is_rated(self, player: int, mode: int) -> bool:
        """Return whether any rated round counts for a player (index) in a mode (index)."""

    @abstractmethod
    def rated_players(self) -> Mapping[str, Mapping[str, object]]:
        """Return all rated players by id, with the fields that `rate` prints."""

    def summary(self) -> Mapping[str, object]:
        """Return what `rate` prints of the run as a whole."""
        return {}

    def _new_inference(self) -> "RatingRun | None":
        """Return a run for `infer_skills` before any round, None if there is none."""
        return None

    def _block_index(self, k: int) -> int:
        if not self._first <= k < self._last:
            self._first = k - k % _BLOCK
            self._last = min(self._first + _BLOCK, len(self.record))
            self._prepare_block(self._first, self._last)
        return k - self._first

    @abstractmethod
    def _prepare_block(self, first: int, last: int) -> None: ...

    @abstractmethod
    def _skip_reason(self, i: int) -> str | None: ...

    @abstractmethod
    def _forecast(self, i: int) -> Prediction | None: ...

    @abstractmethod
    def _prediction(self, i: int) -> Prediction: ...

    @abstractmethod
    def _update(self, i: int) -> None: ...

    @abstractmethod
    def _ratings(self, i: int) -> Sequence[Rating]: ...

    @abstractmethod
    def _explain(self, i: int, view: PlayerViewpoint) -> RatingExplanation: ...

    @abstractmethod
    def _transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> "RatingRun": ...


class RatingSystem(ABC):
    """A rating model with its parameters and the traits needed to display its ratings.

    Titles are English texts marked for translation.

    Attributes:
        name: as in files, settings and options.
        title: for display.
        declared_parameters: everything that can be set.
        presets: sets of parameter values, by name.
        shared_parameters: names of those that are the same in all modes.
        extras: parts of the model that a back-test can leave out.
        decimals: how many decimals of a rating are displayed; a change has one more.
        value_field: the key of the displayed rating in `RatingRun.rated_players`.
        scale: name of the public scale that the displayed ratings are on ("" for none).
        has_overall_rating: whether a player has one rating for all modes, else only one in each mode.
        modes_share_rating: whether all modes have the same rating.
        weights_time: whether some of the time in a round counts more than the rest.
        has_full_history: whether `solve` rates a whole record at once.
        allows_for_uncertainty: whether chances are the nearer to even the less is known of the players.
        has_tiers: whether the game shows ratings as tiers, by `RatingRun.confident_points`.
        explanation_titles: titles of what `RatingRun.explain` returns.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    declared_parameters: ClassVar[Sequence[Parameter]]
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    shared_parameters: ClassVar[Collection[str]] = ("bias", "bias_v")
    extras: ClassVar[Sequence[ModelExtra]] = ()
    decimals: ClassVar[int] = 0
    value_field: ClassVar[str]
    scale: ClassVar[PublicScale] = ""
    has_overall_rating: ClassVar[bool] = False
    modes_share_rating: ClassVar[bool] = False
    weights_time: ClassVar[bool] = False
    has_full_history: ClassVar[bool] = False
    allows_for_uncertainty: ClassVar[bool] = False
    has_tiers: ClassVar[bool] = False
    explanation_titles: ClassVar[ExplanationTitles]

    def __init__(self, parameters: ParameterSet) -> None:
        """Set the parameters.

        Raises:
            ParameterError: a mode has its own value of a shared parameter.
        """
        parameters.check_shared(self.shared_parameters)
        self.parameters = parameters

    @property
    def newcomer_sd(self) -> float | None:
        """Displayed standard deviation of a newcomer's rating, None if there is none."""
        return None

    @property
    def rates_teams_apart(self) -> bool:
        """Whether a player's skill depends on the team."""
        return False

    @property
    def stint_weight(self) -> StintWeight:
        """Weight of a stint on the field."""
        return stint_seconds

    @classmethod
    def default_newcomer_sd(cls) -> float | None:
        """Return `newcomer_sd` with default parameters, to compare uncertainties with."""
        return cls(resolve_parameters(cls.declared_parameters)).newcomer_sd

    @abstractmethod
    def new_run(self, record: RoundRecord) -> RatingRun:
        """Return a run over a record with all players as newcomers."""

    def solve(self, record: RoundRecord) -> RatingRun | None:  # noqa: ARG002 (only some systems can)
        """Rate the whole record at once (`--full-history`); None if not supported."""
        return None

    def start_run(self, record: RoundRecord, *, full_history: bool = False) -> RatingRun:
        """Return a run over a record.

        All players are newcomers, or with `full_history` as `solve` rates them.

        Raises:
            ValueError: the system cannot rate a whole record at once.
        """
        if not full_history:
            return self.new_run(record)
        run = self.solve(record)
        if run is None:
            raise ValueError(f"{self.name} rates round by round only")
        return run

    def suggest_parameters(self, record: RoundRecord) -> Mapping[str, ParameterValue]:  # noqa: ARG002 (only some systems do)
        """Return values that a record suggests, for the general search to try."""
        return {}

    def fit(
        self,
        record: RoundRecord,  # noqa: ARG002 (only some systems can)
        progress: ProgressCallback,  # noqa: ARG002
        report: FitStepCallback,  # noqa: ARG002
        max_forecasts: int,  # noqa: ARG002
    ) -> ParameterSet | None:
        """Return better parameters by the system's own method, None if it has none.

        The record ends where training ends, so that nothing later is visible. `report` is called after each step;
        `max_forecasts` is the most rounds forecast in one search.
        """
        return None
