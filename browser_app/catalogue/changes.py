"""What a step changed: the message from the catalogue to whoever shows or saves it."""

from dataclasses import dataclass

from browser_app.catalogue.columns import Rows


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Rows touched by one step, in ascending order, each once."""

    ids: Rows
    """All rows that were added or answered, also those whose values stayed the same."""
    added: Rows
    """Those of them that are new."""
    columns: frozenset[str]
    """Names of the columns in which any value changed; all of a new row's count as changed."""

    def __bool__(self) -> bool:
        return len(self.ids) > 0
