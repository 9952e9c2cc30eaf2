"""Whom the user looks out for, as something a player's name can be compared with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from browser_app.catalogue.wildcards import Test, matcher


@dataclass(frozen=True)
class FriendNames:
    """Names of one group; case does not matter."""

    exact: frozenset[str] = frozenset()
    """Whole names, in which nothing is a wildcard."""
    patterns: tuple[str, ...] = ()
    """Patterns of whole names, with `*` and `?`."""

    def __bool__(self) -> bool:
        return bool(self.exact or self.patterns)


@dataclass(frozen=True)
class FriendList:
    """Friends by group."""

    groups: Mapping[str, FriendNames] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(self.groups.values())

    def names_any(self, name: str) -> bool:
        """Whether any group names this player."""
        return bool(self._any(name.strip().casefold()))

    def group_of(self, name: str) -> str | None:
        """The first group that names this player, None for nobody the user looks out for."""
        folded = name.strip().casefold()
        return next((group for group, test in self._tests if test(folded)), None)

    @cached_property
    def _any(self) -> Test:
        names = self.groups.values()
        return matcher(chain(*(each.patterns for each in names)), chain(*(each.exact for each in names)))

    @cached_property
    def _tests(self) -> list[tuple[str, Test]]:
        return [(group, matcher(names.patterns, names.exact)) for group, names in self.groups.items() if names]
