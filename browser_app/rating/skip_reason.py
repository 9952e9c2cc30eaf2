"""Reasons why a round changes no rating."""

import enum


class SkipReason(enum.StrEnum):
    """Key of a reason; callers have the texts.

    A value may follow, as in `too_short:60`.
    """

    NO_OUTCOME = "no_outcome"
    ONE_SIDE_EMPTY = "one_side_empty"
    NOT_TWO_TEAMS = "not_two_teams"
    TOO_FEW_PLAYERS = "too_few_players"
    """Fewer than two players are eligible."""
    TOO_SHORT = "too_short"
    """The value is the least length in seconds."""
    MODE_NOT_RATED = "mode_not_rated"
    """The value is the mode."""

    def with_value(self, value: object) -> str:
        """Return the reason with its value."""
        return f"{self}:{value}"
