"""Translatable texts about the factors of a score, and number formats."""

from collections.abc import Callable, Mapping
from math import isinf, isnan

from browser_app.language import N_
from browser_app.number_text import decimal_text, integer_text, localised_number
from browser_app.ranking.score_factors import (
    FAIR_PING_FACTOR,
    FEW_PLAYERS_VIABILITY,
    GOOD_GAME_VIABILITY,
    GOOD_PING_FACTOR,
    SCORE_FACTORS,
)
from browser_app.ranking.scored_server import OneMorePlayerEffect, ScoredServer


class TranslatableText:
    """A sentence with separate values, so that it can be translated later.

    `template` is the English text with `{name}` for each value; a value is a text or another sentence. Values are never
    interpreted as templates.
    """

    __slots__ = ("template", "values")

    def __init__(self, template: str, **values: "str | TranslatableText") -> None:
        self.template = template
        self.values: Mapping[str, str | TranslatableText] = values

    def __str__(self) -> str:
        return self.translated(str)

    def __repr__(self) -> str:
        return f"TranslatableText({str(self)!r})"

    def translated(self, translate: Callable[[str], str]) -> str:
        """Return the text after passing every template through `translate`."""
        values = {
            name: value.translated(translate) if isinstance(value, TranslatableText) else value
            for name, value in self.values.items()
        }
        return translate(self.template).format(**values)


def format_factor(value: float) -> str:
    """Format a factor or constant, such as `0.82`, `0.05`, `1`, `1.5`, `<0.000001`."""
    if isnan(value) or isinf(value):
        return "–" if isnan(value) else "∞"
    if 0 < value < 1e-6:
        return f"<{localised_number('0.000001')}"
    if value >= 1:
        return localised_number(f"{value:.4g}") if value < 999.95 else integer_text(value)
    decimals = 2 if value >= 0.1 else 3 if value >= 5e-4 else 6
    return localised_number(f"{value:.{decimals}f}".rstrip("0").rstrip("."))


def format_aligned_factor(value: float) -> str:
    """Format a factor with all its decimals, such as `0.90`, to align with others."""
    return decimal_text(value, 2) if 0.1 <= value < 0.995 else format_factor(value)


def factor_title(name: str) -> TranslatableText:
    """Return a factor's title."""
    return TranslatableText(SCORE_FACTORS[name].title)


def factor_description(name: str, server: ScoredServer) -> TranslatableText:
    """Return a sentence about the factor `name` of this server."""
    detailed = _DETAILED_TEXTS.get(name)
    if detailed is not None:
        return detailed(server)
    value = server.factors[name]
    if value == 1.0:
        return TranslatableText("No effect here.")
    return TranslatableText(SCORE_FACTORS[name].sentence, value=format_factor(value))


def better_ping_ms(server: ScoredServer) -> float:
    """Return a better ping to compare with: 40 ms for a poor one, else 20 ms."""
    return 40.0 if server.factors["ping"] < FAIR_PING_FACTOR else 20.0


def _players_text(server: ScoredServer) -> TranslatableText:
    players, slots = server.input_value("players"), server.input_value("usable_slots")
    if isnan(players):
        return TranslatableText("Player count unknown, so the server is not ranked.")
    counts = {"players": integer_text(players), "slots": integer_text(slots)}
    if isnan(slots):
        return TranslatableText("{players} playing, slots unknown: no bonus for free slots.", **counts)
    if players > slots:  # reserved slots are not usable ones
        return TranslatableText("{players} playing, no unreserved slot free.", **counts)
    if players == slots:
        return TranslatableText("{players} of {slots} playing: no free slots.", **counts)
    effect, game = server.one_more_player, TranslatableText(_game_text(server.viability), **counts)
    if effect is None:
        return game
    return TranslatableText("{first} {second}", first=game, second=TranslatableText(_EFFECT_TEXTS[effect]))


def _game_text(viability: float) -> str:
    if viability >= GOOD_GAME_VIABILITY:
        return N_("{players} of {slots} playing: a good game already.")
    if viability >= FEW_PLAYERS_VIABILITY:
        return N_("{players} of {slots} playing: almost enough for a good game.")
    return N_("{players} of {slots} playing: too few for a good game so far.")


_EFFECT_TEXTS: Mapping[OneMorePlayerEffect, str] = {
    OneMorePlayerEffect.RAISES_SCORE: N_("One more player helps."),
    OneMorePlayerEffect.CHANGES_LITTLE: N_("One more player changes little."),
    OneMorePlayerEffect.LOWERS_SCORE: N_("It needs no more players, so it scores less than one that does."),
    OneMorePlayerEffect.TAKES_LAST_SLOT: N_("One more player takes the last slot."),
}


def _ping_text(server: ScoredServer) -> TranslatableText:
    ping, value, target = server.input_value("ping_ms"), server.factors["ping"], better_ping_ms(server)
    if isnan(ping):
        return TranslatableText("Ping unknown, so the server is not ranked.")
    ping_text = "<1" if ping < 1 else integer_text(ping)
    if value >= GOOD_PING_FACTOR:
        verdict = TranslatableText("Good ping: {ping} ms.", ping=ping_text)
    elif value >= FAIR_PING_FACTOR:
        verdict = TranslatableText("Fair ping: {ping} ms.", ping=ping_text)
    else:
        verdict = TranslatableText("Poor ping: {ping} ms.", ping=ping_text)
    if ping <= target or ping_text == integer_text(target):
        return verdict
    then = TranslatableText(
        "{target} ms would make it {better}.",
        target=integer_text(target),
        better=format_aligned_factor(server.ping_factor(target)),
    )
    return TranslatableText("{first} {second}", first=verdict, second=then)


def _performance_text(server: ScoredServer) -> TranslatableText:
    performance = server.performance
    if isnan(performance):
        if server.input_flag("reports_performance"):
            return TranslatableText("The server does not report its performance: counts as 0.")
        return TranslatableText("This game does not report performance, so it is ignored.")
    text = integer_text(performance)
    if performance < -10:
        return TranslatableText("Reported {performance}: the server is overloaded.", performance=text)
    if performance < 0:
        return TranslatableText("Reported {performance}: the server is under load.", performance=text)
    if performance < 10:
        return TranslatableText("Reported {performance}: keeps up, with little to spare.", performance=text)
    return TranslatableText("Reported {performance}: more than 10 makes little difference.", performance=text)


def _skill_text(server: ScoredServer) -> TranslatableText:
    theirs, mine = server.input_value("server_skill"), server.input_value("player_skill")
    if isnan(mine):
        return TranslatableText("Your skill is unknown, so skill is ignored.")
    if isnan(theirs):
        return TranslatableText("The players’ skill is unknown, so skill is ignored.")
    if not server.input_value("players") >= 2:
        return TranslatableText("Fewer than 2 players, so skill is ignored.")
    return TranslatableText(
        "Their average skill is {theirs}, yours {mine} (z\u00a0=\u00a0{z}).",
        theirs=integer_text(theirs),
        mine=integer_text(mine),
        z=decimal_text(server.skill_z, 1),
    )


def needs_password(server: ScoredServer) -> bool:
    """Return whether the server needs a password that the user has not saved."""
    return server.input_flag("password") and not server.input_flag("password_saved")


def _joinable_text(server: ScoredServer) -> TranslatableText:
    value, slots = format_factor(server.factors["joinable"]), server.input_value("usable_slots")
    if server.is_unjoinable:
        if server.factors["joinable"] == 1.0:
            return TranslatableText("Not joinable now, but no penalty here.")
        if server.is_closed:
            return TranslatableText("The server accepts no players now: factor {value}.", value=value)
        return TranslatableText("Full: factor {value} until a slot is free.", value=value)
    free = slots - server.input_value("players")
    if isnan(free):
        return TranslatableText("Free slots unknown, so no penalty.")
    if needs_password(server):
        return TranslatableText("Needs a password. Free slots: {free}.", free=integer_text(free))
    if server.input_flag("password"):
        return TranslatableText("Free slots: {free}, with your saved password.", free=integer_text(free))
    if free == 1:
        return TranslatableText("1 slot free for you.")
    return TranslatableText("{free} slots free for you.", free=integer_text(free))


def _favorite_text(server: ScoredServer) -> TranslatableText:
    value = format_factor(server.constants.favourite)
    if server.input_flag("favourite"):
        return TranslatableText("Your favourite: score ×{value}.", value=value)
    if server.constants.favourite == 2.0:
        return TranslatableText("Not a favourite (would double the score).")
    return TranslatableText("Not a favourite (would make the score ×{value}).", value=value)


_DETAILED_TEXTS: Mapping[str, Callable[[ScoredServer], TranslatableText]] = {
    "players": _players_text,
    "ping": _ping_text,
    "performance": _performance_text,
    "skill": _skill_text,
    "joinable": _joinable_text,
    "favorite": _favorite_text,
}
