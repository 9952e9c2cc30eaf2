"""The qcstatus value of Xonotic servers.

`MODE:VERSION:P0:S12:F4:TINVALID:MXonotic::SCORE LABELS:TEAM LABELS:TEAM:SCORES:TEAM:SCORES…`

Source: Xonotic's `qcsrc/server/scores.qc`, WinningConditionHelper.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QCStatus:
    """Values that the game code adds to the engine's keys.

    None if the server does not send them.
    """

    mode: str
    """Code of the game type, such as `ctf`."""
    version: str
    joinable: int | None
    """Players who may still join to play; 0 is full."""
    mod: str | None
    """`Xonotic` means none."""


def parse_qcstatus(text: str) -> QCStatus | None:
    """Parse the value, skipping unknown fields.

    Returns None without at least mode and version.
    """
    fields = text.split(":")
    if len(fields) < 2 or not fields[0]:
        return None
    header_end = fields.index("", 2) if "" in fields[2:] else len(fields)
    header = {field[0]: field[1:] for field in reversed(fields[2:header_end])}
    return QCStatus(fields[0], fields[1], _parse_number(header.get("S")), header.get("M"))


def _parse_number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None
