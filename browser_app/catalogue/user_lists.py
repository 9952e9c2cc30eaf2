"""What the user keeps about servers, as the catalogue needs it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from browser_app.catalogue.friend_list import FriendList
from browser_app.catalogue.marks import Marks
from browser_app.protocols.address import Address

NOBODY = Marks()
NO_FRIENDS = FriendList()


@dataclass(frozen=True)
class UserLists:
    """The user's own lists; they hold for servers that are known now and for those that come later."""

    favourite: Marks = NOBODY
    blocked: Marks = NOBODY
    recently_left: Marks = NOBODY
    password_saved: Marks = NOBODY
    friends: FriendList = NO_FRIENDS
    notes: Mapping[Address, str] = field(default_factory=dict)
    """By query address, or by the address a game is told."""
    last_played: Mapping[Address, float] = field(default_factory=dict)
    """Unix time of the last join by query address, or by the address a game is told."""

    def marks(self, flag: str) -> Marks:
        """The list behind a flag column."""
        return {
            "favourite": self.favourite,
            "blocked": self.blocked,
            "recently_left": self.recently_left,
            "password_saved": self.password_saved,
        }[flag]
