"""Explanation of one server's score: factors, losses, improvements."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isnan, log, nan

from browser_app.games.game_profile import RankingConstants
from browser_app.language import N_
from browser_app.number_text import decimal_text, integer_text
from browser_app.ranking.ranking_inputs import RankingInputs
from browser_app.ranking.score_factors import PUBLISHED_FACTORS, SCORE_FACTORS
from browser_app.ranking.score_text import (
    TranslatableText,
    better_ping_ms,
    factor_description,
    factor_title,
    format_factor,
    needs_password,
)
from browser_app.ranking.scored_server import OneMorePlayerEffect, ScoredServer


def changed_constants_notes(
    factor: str, constants: RankingConstants, reasons: Mapping[str, str]
) -> Iterator[TranslatableText]:
    """Yield a sentence, with any known reason, for each changed constant of `factor`."""
    defaults = RankingConstants()
    for name, label in SCORE_FACTORS[factor].constants.items():
        value, default = getattr(constants, name), getattr(defaults, name)
        if value == default:
            continue
        values: dict[str, str | TranslatableText] = {
            "label": TranslatableText(label),
            "value": _format_constant(value),
            "default": _format_constant(default),
        }
        if name in reasons:
            yield TranslatableText(
                "{label}: {value} here, default {default} ({reason}).", **values, reason=reasons[name]
            )
        else:
            yield TranslatableText("{label}: {value} here, default {default}.", **values)


def _format_constant(value: float) -> str | TranslatableText:
    if isinstance(value, bool):
        return TranslatableText("yes") if value else TranslatableText("no")
    return format_factor(value)


_MAX_IMPROVEMENTS = 3
_MIN_GAIN_RATIO = 1.02
"""Smaller changes of the score are invisible in two decimals."""
_MAX_MORE_PLAYERS = 3
"""Most additional players to consider."""


@dataclass(frozen=True, slots=True)
class ScoreImprovement:
    """One change that would raise the score."""

    description: TranslatableText
    score_before: float
    score_after: float
    """Higher than `score_before`."""


@dataclass(frozen=True, slots=True)
class _Variant:
    kind: str
    description: TranslatableText
    inputs: dict[str, float]


def best_improvements(server: ScoredServer) -> tuple[ScoreImprovement, ...]:
    """Return the changes that raise the score most, best first, one of a kind.

    Empty for an unranked server.
    """
    if isnan(server.total):
        return ()
    variants = [*_user_variants(server), *_server_variants(server), *_player_count_variants(server)]
    best: dict[str, ScoreImprovement] = {}
    totals = server.totals([variant.inputs for variant in variants])
    for variant, after in sorted(zip(variants, totals.tolist(), strict=True), key=lambda pair: -pair[1]):
        if after > server.total * _MIN_GAIN_RATIO:
            best.setdefault(variant.kind, ScoreImprovement(variant.description, server.total, after))
    return tuple(best.values())[:_MAX_IMPROVEMENTS]


def _user_variants(server: ScoredServer) -> Iterator[_Variant]:
    if not server.input_flag("favourite"):
        yield _Variant("favourite", TranslatableText("If added to favourites"), {"favourite": 1.0})
    if server.input_flag("blocked"):
        yield _Variant("blocked", TranslatableText("If unblocked"), {"blocked": 0.0})
    if server.input_flag("recently_left"):
        yield _Variant("recently left", TranslatableText("10 minutes after you left"), {"recently_left": 0.0})


def _server_variants(server: ScoredServer) -> Iterator[_Variant]:
    mine, ping, target = server.input_value("player_skill"), server.input_value("ping_ms"), better_ping_ms(server)
    if not isnan(mine) and not isnan(server.input_value("server_skill")):
        yield _Variant("skill", TranslatableText("Skill equal to yours"), {"server_skill": mine})
    if ping > target:
        what = TranslatableText(
            "Ping {target} ms instead of {ping}", target=integer_text(target), ping=integer_text(ping)
        )
        yield _Variant("ping", what, {"ping_ms": target})
    if server.factors["performance"] < 1 and not server.performance >= 10:
        yield _Variant("performance", TranslatableText("Performance of 10"), {"performance": 10.0, "quality": nan})
    if server.input_flag("password"):
        yield _Variant("password", TranslatableText("Without a password"), {"password": 0.0})


def _player_count_variants(server: ScoredServer) -> Iterator[_Variant]:
    """Yield more players, or for a full server a free slot.

    Fewer players can score more, because the score favours servers that need players, but no user wishes for that.
    """
    players, slots = server.input_value("players"), server.input_value("usable_slots")
    if server.is_unjoinable:
        if slots >= 1 and server.input_flag("can_join"):
            yield _Variant("players", TranslatableText("When a slot is free"), {"players": slots - 1})
        return
    for more in range(1, _MAX_MORE_PLAYERS + 1):
        then = players + more
        if then < slots:
            yield _Variant("players", _more_players_text(more, integer_text(then)), {"players": then})


def _more_players_text(more: int, then: str) -> TranslatableText:
    if more == 1:
        return TranslatableText("1 more player ({then})", then=then)
    return TranslatableText("{count} more players ({then})", count=integer_text(more), then=then)


@dataclass(frozen=True, slots=True)
class FactorExplanation:
    """One factor of one server's score."""

    name: str
    """As the command line prints it."""
    title: TranslatableText
    value: float | None
    """None if unknown; then there is no score."""
    input_value: float | None
    """Input of the factor: players, ms, effective performance, z, free slots, or 1 and 0 for yes and no."""
    loss_share: float | None
    """Its share of the total loss, 0…1; None without a score or if the score underflowed to 0."""
    sentence: TranslatableText
    notes: tuple[TranslatableText, ...]
    """Constants that differ from the defaults and why; for skill, the assumed spread."""
    is_notable: bool = False
    """The sentence matters even if the value is 1."""


@dataclass(frozen=True, slots=True)
class ScoreExplanation:
    """The score, its factors and what would change it."""

    score: float | None
    """Product of the factors' values in their order; None if the server is not ranked."""
    headline: TranslatableText
    factors: tuple[FactorExplanation, ...]
    """All factors, in the order of multiplication."""
    improvements: tuple[ScoreImprovement, ...]
    """At most three, best first."""
    if_you_join: TranslatableText
    server: ScoredServer = field(repr=False, compare=False)
    """What is explained."""

    @property
    def displayed_factors(self) -> tuple[FactorExplanation, ...]:
        """The factors to display, largest loss first.

        These are the factors of the published formula, and every other one that is not 1.
        """
        rows = (row for row in self.factors if row.name in PUBLISHED_FACTORS or row.value != 1.0)
        return tuple(sorted(rows, key=lambda row: -(row.loss_share or 0.0)))


def loss_shares(factors: Mapping[str, float]) -> dict[str, float | None]:
    """Return each factor's share of the loss, −ln f / Σ −ln g over factors g below 1.

    0 for factors of 1 or more; all None if the product is 0 or NaN. The shares sum to 1 unless all are 0.
    """
    total = 1.0
    for value in factors.values():
        total *= value
    if not total > 0:
        return dict.fromkeys(factors)
    losses = {name: -log(value) if value < 1 else 0.0 for name, value in factors.items()}
    lost = sum(losses.values())
    return {name: loss / lost if lost > 0 else 0.0 for name, loss in losses.items()}


def explain_score(
    inputs: RankingInputs,
    constants: RankingConstants,
    reasons: Mapping[str, str] | None = None,
    own_skill_source: TranslatableText | None = None,
) -> ScoreExplanation:
    """Explain the score of the one server in `inputs`.

    Args:
        inputs: exactly one row, else ValueError. Its `constants_row` is ignored.
        constants: the constants that apply to the server.
        reasons: a constant's name → where its value comes from (`GameProfile.ranking_reasons`).
        own_skill_source: a sentence on where the user's skill comes from, added where skill counts.
    """
    server = ScoredServer.compute(inputs, constants)
    shares = loss_shares(server.factors)
    rows = tuple(
        FactorExplanation(
            name,
            factor_title(name),
            _none_if_nan(value),
            _none_if_nan(_factor_input(name, server)),
            shares[name],
            _with_skill_source(name, server, own_skill_source),
            (*_deviation_notes(name, server), *changed_constants_notes(name, constants, reasons or {})),
            is_notable=name == "joinable" and needs_password(server),
        )
        for name, value in server.factors.items()
    )
    total, headline = _none_if_nan(server.total), _headline_text(server, shares)
    return ScoreExplanation(total, headline, rows, best_improvements(server), _if_you_join_text(server), server)


def _with_skill_source(name: str, server: ScoredServer, source: TranslatableText | None) -> TranslatableText:
    sentence = factor_description(name, server)
    if source is None or name != "skill" or isnan(server.skill_z) or not server.input_value("players") >= 2:
        return sentence
    return TranslatableText("{first} {second}", first=sentence, second=source)


def _none_if_nan(value: float) -> float | None:
    return None if isnan(value) else value


def _factor_input(name: str, server: ScoredServer) -> float:
    """Return the input of a factor: that of the same name for most, NaN without one."""
    if name == "performance":
        return server.performance
    if name == "skill":
        return server.skill_z
    if name == "joinable":
        return server.input_value("usable_slots") - server.input_value("players")
    if name == "empty":
        return server.input_value("players")
    field = {"ping": "ping_ms", "favorite": "favourite"}.get(name, name)
    return server.input_value(field) if hasattr(server.inputs, field) else nan


def _deviation_notes(name: str, server: ScoredServer) -> tuple[TranslatableText, ...]:
    if name != "skill" or isnan(server.skill_z) or not server.input_value("players") >= 2:
        return ()
    points = integer_text(server.constants.skill_deviation)
    return (TranslatableText("Skill spread: {points} points (assumed).", points=points),)


_LARGEST_LOSS_TEXTS: Mapping[str, TranslatableText] = {
    "players": TranslatableText("Biggest penalty: player count."),
    "ping": TranslatableText("Biggest penalty: ping."),
    "performance": TranslatableText("Biggest penalty: performance."),
    "skill": TranslatableText("Biggest penalty: skill."),
    "joinable": TranslatableText("Biggest penalty: not joinable now."),
    "password": TranslatableText("Biggest penalty: password."),
}


def _headline_text(server: ScoredServer, shares: Mapping[str, float | None]) -> TranslatableText:
    if isnan(server.factors["ping"]):
        return TranslatableText("Not ranked: ping unknown.")
    if isnan(server.total):
        return TranslatableText("Not ranked: player count unknown.")
    if server.total <= 0:
        return TranslatableText("The score is too small to break down.")
    largest = max(shares, key=lambda name: shares[name] or 0.0)
    if not shares[largest]:
        return TranslatableText("No penalties.")
    other = TranslatableText("Biggest penalty: “{title}”.", title=factor_title(largest))
    return _LARGEST_LOSS_TEXTS.get(largest, other)


def _if_you_join_text(server: ScoredServer) -> TranslatableText:
    players, effect = server.input_value("players"), server.one_more_player
    if isnan(players):
        return TranslatableText("Player count unknown, so the effect of joining is unknown.")
    if server.is_unjoinable:
        return TranslatableText("You cannot join this server right now.")
    if effect is None:
        return TranslatableText("Ping unknown, so the effect of joining is unknown.")
    before, after = map(_format_score, (server.total, float(server.totals([{"players": players + 1}])[0])))
    if before == after:
        effect = OneMorePlayerEffect.CHANGES_LITTLE
    return TranslatableText(_JOIN_TEXTS[effect], before=before, after=after)


def _format_score(score: float) -> str:
    return decimal_text(score, 3) if score >= 0.01 else format_factor(score)


_JOIN_TEXTS: Mapping[OneMorePlayerEffect, str] = {
    OneMorePlayerEffect.RAISES_SCORE: N_("Joining raises the score from {before} to {after}."),
    OneMorePlayerEffect.CHANGES_LITTLE: N_("Joining changes the score little."),
    OneMorePlayerEffect.LOWERS_SCORE: N_(
        "With you the score would be {after} instead of {before}: it favours servers that need players."
    ),
    OneMorePlayerEffect.TAKES_LAST_SLOT: N_("Joining takes the last slot."),
}
