"""The qcstatus value of Xonotic servers.

`MODE:VERSION:P0:S12:F4:TINVALID:MXonotic::SCORE LABELS:TEAM LABELS:TEAM:SCORES:TEAM:SCORES…`

Source: Xonotic's `qcsrc/server/scores.qc`, WinningConditionHelper.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QCStatus:
    """Values that the game code adds to the engine's keys; None if the server does not send them."""

    mode: str
    """Code of the game type, such as `ctf`."""
    version: str
    impure: int | None
    """Number of changed settings; 0 is an official server."""
    joinable: int | None
    """Players who may still join to play; 0 is full."""
    flags: int | None
    """1 fullbright allowed, 2 teams, 4 sends statistics, 8 to its own statistics server, 16 forbids the pickup timer.
    """
    terms: str | None
    """Address of the terms of service."""
    mod: str | None
    """`Xonotic` means none."""
    player_labels: tuple[str, ...] = ()
    """With marks: `!!` primary, `!` secondary, `<` lower is better."""
    team_labels: tuple[str, ...] = ()
    team_scores: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Team number (5 red, 14 blue, 13 yellow, 10 pink) and its score for each label."""

    @property
    def has_teams(self) -> bool | None:
        """Whether the game is played in teams; None if unknown."""
        return None if self.flags is None else bool(self.flags & 2)


def parse_qcstatus(text: str) -> QCStatus | None:
    """Parse the value, skipping unknown fields; return None without at least mode and version."""
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
