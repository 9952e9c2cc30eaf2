"""The qcstatus value of Xonotic servers.

`MODE:VERSION:P0:S12:F4:TINVALID:MXonotic::SCORE LABELS:TEAM LABELS:TEAM:SCORES:TEAM:SCORES…`

Source: Xonotic's `qcsrc/server/scores.qc`, WinningConditionHelper.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QCStatus:
    """What the game's own code tells beside the engine's keys. None where the server does not say."""

    mode: str
    """The game type's code, such as `ctf`."""
    version: str
    impure: int | None
    """Number of changed settings; 0 is official."""
    joinable: int | None
    """Players that may still join to play; 0 is full."""
    flags: int | None
    """1 fullbright allowed, 2 teams, 4 sends statistics, 8 to a server of its own, 16 forbids the pickup timer."""
    terms: str | None
    """Address of the terms of service."""
    mod: str | None
    """`Xonotic` is none."""
    player_labels: tuple[str, ...] = ()
    """With marks: `!!` primary, `!` secondary, `<` less is better."""
    team_labels: tuple[str, ...] = ()
    team_scores: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Team number (5 red, 14 blue, 13 yellow, 10 pink) and its score by label."""

    @property
    def has_teams(self) -> bool | None:
        """Whether people play in teams."""
        return None if self.flags is None else bool(self.flags & 2)


def parse_qcstatus(text: str) -> QCStatus | None:
    """Read the value; unknown fields are skipped. None where there is not even a mode and a version."""
    fields = text.split(":")
    if len(fields) < 2 or not fields[0]:
        return None
    header_end = fields.index("", 2) if "" in fields[2:] else len(fields)
    header = {field[0]: field[1:] for field in reversed(fields[2:header_end])}
    terms = header.get("T", "INVALID").replace("|", ":")
    labels, team_labels, *scores = [*fields[header_end + 1 :], "", ""]
    return QCStatus(
        fields[0],
        fields[1],
        _parse_number(header.get("P")),
        _parse_number(header.get("S")),
        _parse_number(header.get("F")),
        None if terms == "INVALID" else terms,
        header.get("M"),
        _split_labels(labels),
        _split_labels(team_labels),
        _parse_team_scores(scores),
    )


def _parse_number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None


def _split_labels(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


def _parse_team_scores(fields: list[str]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    found = []
    for team_text, scores_text in zip(fields[0::2], fields[1::2], strict=False):
        team = _parse_number(team_text)
        scores = [_parse_signed(score) for score in scores_text.split(",")]
        if team is None or None in scores:
            break
        found.append((team, tuple(score for score in scores if score is not None)))
    return tuple(found)


def _parse_signed(text: str) -> int | None:
    number = _parse_number(text.removeprefix("-"))
    return -number if number is not None and text.startswith("-") else number
