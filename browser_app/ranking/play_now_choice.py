"""Play Now's choice of a server and the reasons for it."""

import enum
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from browser_app.games.game_profile import RankingConstants
from browser_app.language import N_
from browser_app.number_text import integer_text
from browser_app.ranking.ranking_inputs import BoolArray, FloatArray, IntArray, RankingInputs
from browser_app.ranking.score_factors import FAIR_PING_FACTOR, FEW_PLAYERS_VIABILITY, GOOD_GAME_VIABILITY
from browser_app.ranking.score_text import TranslatableText
from browser_app.ranking.scored_server import OneMorePlayerEffect, ScoredServer
from browser_app.ranking.server_score import argsort_by_keys

_SIMILAR_SKILL_FACTOR = 0.9
"""Skill factor from which the players' skill is called like the user's; from `_CLOSE_SKILL_FACTOR`, close to it."""
_CLOSE_SKILL_FACTOR = 0.7


def choice_reasons(
    inputs: RankingInputs, constants: RankingConstants, *, ping_estimated: bool = False
) -> tuple[TranslatableText, ...]:
    """Return the figures of the one server in `inputs`, then the reasons.

    Reasons are for or against it, the most important first. `format_choice_reasons` joins all: "6 playing, 26 slots
    free, 30 ms; almost a good game; one more player helps."
    """
    server = ScoredServer.compute(inputs, constants)
    reasons = (_game_reason, _one_more_player_reason, _ping_reason, _skill_reason, _performance_reason)
    parts = [
        _figures(server, ping_estimated=ping_estimated),
        *(reason(server) for reason in reasons),
        *_user_list_reasons(server),
    ]
    return tuple(part for part in parts if part is not None)


def format_choice_reasons(reasons: tuple[TranslatableText, ...], translate: Callable[[str], str] = str) -> str:
    """Return the reasons as one sentence, each passed through `translate`."""
    return "; ".join(part.translated(translate) for part in reasons) + "."


def _figures(server: ScoredServer, *, ping_estimated: bool) -> TranslatableText:
    players, ping = server.input_value("players"), server.input_value("ping_ms")
    ping_text = ("~" if ping_estimated else "") + ("<1" if ping < 1 else integer_text(ping))
    return TranslatableText(
        "{players}, {slots}, {ping}",
        players=TranslatableText("Player count unknown")
        if isnan(players)
        else TranslatableText("{players} playing", players=integer_text(players)),
        slots=_free_slots(server),
        ping=TranslatableText("ping unknown") if isnan(ping) else TranslatableText("{ping} ms", ping=ping_text),
    )


def _free_slots(server: ScoredServer) -> TranslatableText:
    if server.is_closed:
        return TranslatableText("not joinable now")
    if server.is_unjoinable:
        return TranslatableText("no slot free")
    free = server.input_value("usable_slots") - server.input_value("players")
    if isnan(free):
        return TranslatableText("slots unknown")
    if free == 1:
        return TranslatableText("1 slot free")
    return TranslatableText("{free} slots free", free=integer_text(free))


def _game_reason(server: ScoredServer) -> TranslatableText | None:
    if server.viability >= GOOD_GAME_VIABILITY:
        return TranslatableText("a good game already")
    return TranslatableText("almost a good game") if server.viability >= FEW_PLAYERS_VIABILITY else None


def _one_more_player_reason(server: ScoredServer) -> TranslatableText | None:
    effect = server.one_more_player
    return TranslatableText(_EFFECT_REASONS[effect]) if effect in _EFFECT_REASONS else None


_EFFECT_REASONS: Mapping[OneMorePlayerEffect | None, str] = {
    OneMorePlayerEffect.RAISES_SCORE: N_("one more player helps"),
    OneMorePlayerEffect.CHANGES_LITTLE: N_("one more player changes little"),
}
"""Without `TAKES_LAST_SLOT`, which the figures already show, and `LOWERS_SCORE`, no reason against joining."""


def _ping_reason(server: ScoredServer) -> TranslatableText | None:
    return TranslatableText("high ping") if server.factors["ping"] < FAIR_PING_FACTOR else None


def _skill_reason(server: ScoredServer) -> TranslatableText | None:
    value = server.factors["skill"]
    if isnan(server.skill_z) or not server.input_value("players") >= 2:
        return None
    if value >= _SIMILAR_SKILL_FACTOR:
        return TranslatableText("skill like yours")
    if value >= _CLOSE_SKILL_FACTOR:
        return TranslatableText("skill close to yours")
    if server.input_value("server_skill") > server.input_value("player_skill"):
        return TranslatableText("players stronger than you")
    return TranslatableText("players weaker than you")


def _performance_reason(server: ScoredServer) -> TranslatableText | None:
    if server.performance < -10:
        return TranslatableText("server overloaded")
    return TranslatableText("server under load") if server.performance < 0 else None


def _user_list_reasons(server: ScoredServer) -> Iterator[TranslatableText]:
    if server.input_flag("favourite"):
        yield TranslatableText("your favourite")
    if server.input_flag("friends"):
        yield TranslatableText("friends online")
    if server.input_flag("recently_left"):
        yield TranslatableText("you left recently")


class ExclusionReason(enum.StrEnum):
    """Why Play Now does not choose a server."""

    NO_ANSWER = "no_answer"
    FULL = "full"
    PASSWORD = "password"  # noqa: S105 (a key)
    BLOCKED = "blocked"
    VERSION = "version"
    ROOKIE_ONLY = "rookie_only"
    FILTERED = "filtered"
    RECENTLY_LEFT = "recently_left"
    NOT_INSTALLED = "not_installed"
    SUSPICIOUS = "suspicious"
    """Has a suspicion mark even after verification; no rule, since such a server is only a fallback."""


ELIGIBILITY_RULES = tuple(each for each in ExclusionReason if each is not ExclusionReason.SUSPICIOUS)
"""In the order in which they are checked."""


@dataclass(frozen=True, slots=True)
class PlayNowCandidates:
    """The servers to choose from: arrays of equal length, one element per server."""

    score: FloatArray
    """NaN where not ranked; such servers come after all ranked ones."""
    ping_ms: FloatArray
    address: NDArray[Any]
    """Sorts like the addresses: texts or ranks."""
    answered: BoolArray
    """The last query succeeded."""
    is_unjoinable: BoolArray
    """No usable slot is free for the user, or the server is closed (`score_factors.unjoinable_mask`)."""
    password: BoolArray
    password_saved: BoolArray
    blocked: BoolArray
    has_other_version: BoolArray
    """The user's game is known not to match the server's version."""
    requires_rookie: BoolArray
    """For rookies only, and the user is not one."""
    is_filtered_out: BoolArray
    """Not among the servers that the user lets Play Now choose from."""
    recently_left: BoolArray
    """The user left it within the last 10 minutes, or soon after joining it within the last hour."""
    not_installed: BoolArray
    """The game cannot be started here."""
    is_suspicious: BoolArray
    """The server's data has a suspicion mark."""
    is_unoccupied: BoolArray
    """The element stands for no server; it is neither chosen nor counted."""

    @property
    def has_no_installed_game(self) -> bool:
        """Whether servers pass the filter, but no game of theirs is installed."""
        wanted = ~self.is_filtered_out
        return bool(wanted.any() and self.not_installed[wanted].all())

    def rule_failures(self) -> dict[ExclusionReason, BoolArray]:
        """Return, for each rule in `ELIGIBILITY_RULES`, which servers fail it."""
        return {
            ExclusionReason.NO_ANSWER: ~self.answered,
            ExclusionReason.FULL: self.is_unjoinable,
            ExclusionReason.PASSWORD: self.password & ~self.password_saved,
            ExclusionReason.BLOCKED: self.blocked,
            ExclusionReason.VERSION: self.has_other_version,
            ExclusionReason.ROOKIE_ONLY: self.requires_rookie,
            ExclusionReason.FILTERED: self.is_filtered_out,
            ExclusionReason.RECENTLY_LEFT: self.recently_left,
            ExclusionReason.NOT_INSTALLED: self.not_installed,
        }


@dataclass(frozen=True, slots=True)
class PlayNowChoice:
    """Result of `choose_servers`: each server is ranked, a fallback, or fails a rule."""

    ranked: IntArray
    """Indices of the eligible servers, best first: by score, then lower ping, then address."""
    fallback: IntArray
    """Eligible but recently left or suspicious servers, in the same order; for use when `ranked` is exhausted."""
    failed_rule: NDArray[np.int8]
    """By server: index in `ELIGIBILITY_RULES` of the first rule it fails, −1 for none, −2 where there is no server."""

    @property
    def excluded_counts(self) -> dict[ExclusionReason, int]:
        """For every rule, the number of servers that fail it first."""
        return {why: int(np.count_nonzero(self.excluded_servers(why))) for why in ELIGIBILITY_RULES}

    def excluded_servers(self, reason: ExclusionReason) -> BoolArray:
        """Return, for each server, whether this is the first rule that it fails."""
        return np.equal(self.failed_rule, ELIGIBILITY_RULES.index(reason))

    def exclusion_reason(self, server: int) -> ExclusionReason | None:
        """Return the first rule that a server fails, None if it fails none."""
        rule = int(self.failed_rule[server])
        return None if rule < 0 else ELIGIBILITY_RULES[rule]


def choose_servers(candidates: PlayNowCandidates) -> PlayNowChoice:
    """Sort the eligible servers and find the first rule that each other one fails."""
    failed = np.full(len(candidates.score), -1, dtype=np.int8)
    failures = candidates.rule_failures()
    for rule, why in enumerate(ELIGIBILITY_RULES):
        failed[(failed < 0) & failures[why]] = rule
    failed[candidates.is_unoccupied] = -2
    fit = failed == -1
    just_left = (failed == ELIGIBILITY_RULES.index(ExclusionReason.RECENTLY_LEFT)) & ~candidates.not_installed
    backup = (fit & candidates.is_suspicious) | just_left
    chosen = _sorted_among(candidates, fit & ~candidates.is_suspicious)
    return PlayNowChoice(chosen, _sorted_among(candidates, backup), failed)


def _sorted_among(candidates: PlayNowCandidates, among: BoolArray) -> IntArray:
    rows = np.flatnonzero(among)
    return rows[argsort_by_keys(-candidates.score[rows], candidates.ping_ms[rows], candidates.address[rows])]
