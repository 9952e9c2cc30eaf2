"""How sure a rating is, in numbers and in words."""

from typing import Final

from browser_app.player.now import Z90, Doubt

GUESS: Final = "a guess so far"
_WORDS: tuple[tuple[float, Doubt], ...] = ((0.1, "sure"), (0.2, "fairly sure"), (0.5, "unsure"))


def doubt_of(sd: float | None, newcomers: float | None) -> Doubt:
    """A word for a standard deviation, by the share that is left of a newcomer's: a tenth, a fifth, a half, more."""
    if sd is None or not newcomers:
        return "unknown"
    return next((word for most, word in _WORDS if sd <= most * newcomers), GUESS)


def nine_in_ten(value: float | None, sd: float | None) -> tuple[float | None, float | None]:
    """Between what it lies 9 times in 10; None where that is unknown."""
    return (None, None) if value is None or sd is None else (value - Z90 * sd, value + Z90 * sd)
