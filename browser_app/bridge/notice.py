"""What is to be told by a notification, whoever shows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

ITSELF = "default"
"""The action of whoever presses the notification itself."""


@dataclass(frozen=True)
class Notice:
    """What is to be told. `key` names it in signals; `actions` are words by name."""

    key: int
    title: str
    text: str
    actions: Mapping[str, str] = field(default_factory=dict)
