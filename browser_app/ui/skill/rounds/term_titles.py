"""What the terms, factors and parts of an explanation are called."""

from collections.abc import Mapping

from browser_app.language import gettext as _
from browser_app.language import later

_TERMS: Mapping[str, str] = {
    "field": later("Field players"),
    "commanders": later("Commanders"),
    "circumstance": later("This map so far"),
    "ratings": later("Mean ratings"),
    "spread": later("Pairs one by one"),
    "pings": later("Pings"),
    "skills": later("Skills"),
    "numbers": later("Numbers"),
    "squads": later("Came together"),
}
_FACTORS: Mapping[str, str] = {
    "points": later("{value} points"),
    "rate": later("rate {value}"),
    "c": later("rate {value}"),
    "chair_rate": later("rate {value}"),
    "surprise": later("surprise {value}"),
    "share": later("your share {value}"),
    "whole": later("your share {value}"),
    "chair_share": later("your share {value}"),
    "k": later("K {value}"),
    "time": later("time alive {value}"),
    "gain": later("gain {value}"),
    "variance": later("variance {value}"),
    "pull": later("pull {value}"),
    "v": later("surprise v {value}"),
    "per_c": later("1/c {value}"),
}
_PARTS: Mapping[str, str] = {
    "result": later("The result"),
    "floor": later("Below the floor nobody falls"),
    "counts": later("Kills and deaths"),
    "quits": later("Who quit"),
    "experience": later("Experience"),
    "offset": later("Your offset for this side"),
    "commander": later("Your skill in the chair"),
}


def term_title(name: str) -> str:
    """A term's title; its own name where there is none."""
    return _(_TERMS.get(name, name))


def factor_text(name: str, value: str) -> str:
    """`rate 4.17`."""
    return _(_FACTORS.get(name, name + " {value}")).format(value=value)


def part_title(name: str) -> str:
    """A part's title; its own name where there is none."""
    return _(_PARTS.get(name, name))
