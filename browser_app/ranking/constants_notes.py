"""Which constants of a profile differ from the usual ones, and why."""

from collections.abc import Iterator, Mapping

from browser_app.games.profile import RankingConstants
from browser_app.ranking.wording import Sentence, factor_text

_OF_FACTOR: Mapping[str, tuple[str, ...]] = {
    "players": ("viability_midpoint", "viability_steepness", "viability_weight", "seeding_weight", "slot_cap"),
    "ping": ("ping_centre_ms", "ping_width_ms"),
    "performance": ("performance_steepness", "performance_times_quality"),
    "skill": ("skill_weight", "skill_deviation"),
    "joinable": ("full", "full_spares_favourites"),
    "favorite": ("favourite",),
    "password": ("password", "password_spares_favourites"),
}

_LABELS: Mapping[str, Sentence] = {
    "viability_midpoint": Sentence("Players that make a game half viable"),
    "viability_steepness": Sentence("Steepness of viability"),
    "viability_weight": Sentence("Weight of viability"),
    "seeding_weight": Sentence("Weight of bringing it to life"),
    "slot_cap": Sentence("Slots counted at most"),
    "ping_centre_ms": Sentence("Ping that counts 0.5, in ms"),
    "ping_width_ms": Sentence("Width of the ping curve, in ms"),
    "performance_steepness": Sentence("Steepness of performance"),
    "performance_times_quality": Sentence("Performance times its quality"),
    "skill_weight": Sentence("Weight of skill"),
    "skill_deviation": Sentence("Assumed spread of skill, in points"),
    "full": Sentence("A full server counts"),
    "full_spares_favourites": Sentence("Full favourites are spared"),
    "favourite": Sentence("A favourite counts"),
    "password": Sentence("A server with a password counts"),
    "password_spares_favourites": Sentence("Favourites with a password are spared"),
    "empty": Sentence("An empty server counts"),
    "ranked": Sentence("A ranked server counts"),
    "friends": Sentence("A server with friends on counts"),
    "recently_left": Sentence("A server just left counts"),
    "other_mode": Sentence("Another mode counts"),
    "blocked": Sentence("A blocked server counts"),
}


def constants_notes(factor: str, constants: RankingConstants, reasons: Mapping[str, str]) -> Iterator[Sentence]:
    """One sentence for each constant of `factor` that is not the published one, with its reason where there is one."""
    usual = RankingConstants()
    for name in _OF_FACTOR.get(factor, (factor,) if factor in _LABELS else ()):
        value, default = getattr(constants, name), getattr(usual, name)
        if value == default:
            continue
        told: dict[str, str | Sentence] = {"label": _LABELS[name], "value": _text(value), "default": _text(default)}
        if name in reasons:
            yield Sentence("{label}: {value} here, usually {default} ({reason}).", **told, reason=reasons[name])
        else:
            yield Sentence("{label}: {value} here, usually {default}.", **told)


def _text(value: float) -> str | Sentence:
    if isinstance(value, bool):
        return Sentence("yes") if value else Sentence("no")
    return factor_text(value)
