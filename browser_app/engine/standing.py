"""All known servers at one moment, as Play Now needs them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Bools, Floats
from browser_app.catalogue.facts import Answer, Status, Target
from browser_app.catalogue.filter_language import Filter, parse_filter
from browser_app.catalogue.trust import Doubt, too_near
from browser_app.engine.stop import Stop
from browser_app.games.profile import RankingConstants
from browser_app.protocols.address import Address
from browser_app.ranking.choose import Candidates
from browser_app.ranking.factors import is_full
from browser_app.ranking.inputs import ConstantsTable, RankingInputs
from browser_app.ranking.reason import reason
from browser_app.ranking.score import score
from browser_app.ranking.wording import Sentence


@dataclass(frozen=True, slots=True)
class Standing:
    """One moment; what `standing_of` makes shares nothing with the catalogue, so that it may go to another thread."""

    targets: Sequence[Target]
    inputs: RankingInputs
    constants: ConstantsTable
    candidates: Candidates
    """Here `doubted` is who has a mark of doubt, whether asked again or not."""

    def reason(self, server: int) -> tuple[Sentence, ...]:
        """Why somebody would choose this server (see `ranking.reason`)."""
        inputs = self.inputs.take(np.array([server], dtype=np.intp))
        numbers: dict[str, Any] = {name: column[0] for name, column in self.constants.rows(inputs.rules).items()}
        return reason(inputs, RankingConstants(**numbers))


@dataclass(frozen=True)
class PlayOptions:
    """What the user wants of Play Now."""

    wanted: Filter = field(default_factory=lambda: parse_filter(""))
    """Servers that do not pass are no candidates."""
    player_skill: Mapping[str, float] = field(default_factory=dict)
    """The user's own by game id, in the game's points."""
    preset: RankingConstants | None = None
    """Stands in for every game's own constants."""
    rookie: bool = False
    """The user may play on servers for rookies only."""
    skipped: frozenset[Address] = frozenset()
    """Servers that are not to be chosen this time; they count as filtered."""
    own_versions: Mapping[str, str] = field(default_factory=dict)
    """The version of the user's own game by game id, where it is known and must be the server's."""


def standing_of(catalogue: Catalogue, options: PlayOptions) -> Standing:
    """The standing now. Only for the thread that owns the catalogue; a few milliseconds for 20,000 servers."""
    everybody = np.arange(len(catalogue), dtype=np.intp)
    inputs = catalogue.ranking_inputs(options.player_skill).take(everybody)
    constants = catalogue.constants(options.preset)
    candidates = _candidates(catalogue, options, inputs, score(inputs, constants).total)
    return Standing(tuple(catalogue.targets), inputs, constants, candidates)


def scored_standing(catalogue: Catalogue, options: PlayOptions) -> Standing:
    """The standing by the scores as they were last worked out, with the `options`' skill and preset or others.

    It is the catalogue's own columns, so for the thread that owns it and for the moment only; a tenth of the time.
    """
    inputs = catalogue.scored
    if inputs is None or len(inputs) < len(catalogue):
        return standing_of(catalogue, options)
    constants = catalogue.constants(options.preset)
    return Standing(catalogue.targets, inputs, constants, _candidates(catalogue, options, inputs, catalogue.score))


def _candidates(catalogue: Catalogue, options: PlayOptions, inputs: RankingInputs, scores: Floats) -> Candidates:
    return Candidates(
        score=scores,
        ping_ms=inputs.ping_ms,
        address=catalogue.address.ranks(),
        answered=catalogue.status == Status.OK,
        full=is_full(inputs),
        password=inputs.password,
        password_saved=catalogue.password_saved.copy(),
        blocked=inputs.blocked,
        version_differs=_version_differs(catalogue, options.own_versions),
        rookies_only=(catalogue.rookie_only > 0) & (not options.rookie),
        filtered=_filtered(catalogue, options),
        recently_left=inputs.recently_left,
        doubted=_doubted(catalogue),
    )


def _filtered(catalogue: Catalogue, options: PlayOptions) -> Bools:
    filtered = ~options.wanted.mask(catalogue)
    filtered |= catalogue.quick_play == 0
    rows = [row for address in options.skipped if (row := catalogue.id_of(address)) is not None]
    filtered[rows] = True
    return filtered


def _doubted(catalogue: Catalogue) -> Bools:
    """Servers with a mark of doubt. That of the ping is looked at anew: scores, with which it is set, may be older."""
    told: Bools = catalogue.doubts & ~Doubt.TOO_NEAR > 0
    return told | too_near(catalogue, catalogue.own_country)


def _version_differs(catalogue: Catalogue, own: Mapping[str, str]) -> Bools:
    differs = np.zeros(len(catalogue), np.bool_)
    for game, version in own.items():
        folded = version.casefold()
        differs |= catalogue.game.where(game.__eq__) & catalogue.version.where(folded.__ne__)
    return differs


class Directory(Protocol):
    """What Play Now works on. Its run calls this from its own thread; whoever implements it sees to it that the
    catalogue is touched by nobody but the thread that owns it, and returns when that is done."""

    def standing(self) -> Standing:
        """How things stand."""

    def take(self, answers: Sequence[Answer]) -> None:
        """Merge fresh answers: the next standing knows them."""

    def refresh(self, stop: Stop) -> None:
        """Ask masters and servers anew and merge what comes; return when that is over, or soon after `stop` is set."""


@dataclass(frozen=True)
class OwnDirectory:
    """The directory for a Play Now that runs in the thread which owns the catalogue."""

    catalogue: Catalogue
    options: PlayOptions
    poll: Callable[[Stop], None]
    """Does what `refresh` is to do."""

    def standing(self) -> Standing:
        """How things stand."""
        return standing_of(self.catalogue, self.options)

    def take(self, answers: Sequence[Answer]) -> None:
        """Merge fresh answers."""
        self.catalogue.merge(answers)

    def refresh(self, stop: Stop) -> None:
        """Ask masters and servers anew."""
        self.poll(stop)
