"""Everything the program keeps about its user, opened together."""

import time
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

from browser_app.catalogue.user_lists import UserLists
from browser_app.paths import UserPaths
from browser_app.storage.alerts import Alerts
from browser_app.storage.asked import AskedLog
from browser_app.storage.blocked import Blocked
from browser_app.storage.column_maps import ColumnMaps
from browser_app.storage.database import open_database, open_instead
from browser_app.storage.declared import FRIENDS, MY_SKILL
from browser_app.storage.errors import StorageError
from browser_app.storage.favourite_keys import FavouriteKeys
from browser_app.storage.favourites import Favourites
from browser_app.storage.friends import GROUPS, Friend, Friends, kind_of
from browser_app.storage.history import History
from browser_app.storage.identities import Identities
from browser_app.storage.kept import Kept
from browser_app.storage.launch_settings import LaunchSettings
from browser_app.storage.notes import Notes
from browser_app.storage.ratings_cache import RatingsCache
from browser_app.storage.rounds import RoundStore
from browser_app.storage.samples import Samples
from browser_app.storage.saved_filters import SavedFilters
from browser_app.storage.secrets import Secrets
from browser_app.storage.server_passwords import ServerPasswords
from browser_app.storage.settings import Settings
from browser_app.storage.skill_samples import SkillSamples
from browser_app.storage.watched_folders import WatchedFolders


class Session:
    """The user's settings, lists and history. Use as a context manager, or call `close`."""

    def __init__(self, paths: UserPaths) -> None:
        """Open what is there. Never fails: see `problems`."""
        self.settings = Settings(paths.settings)
        self.secrets = Secrets()
        self.database = open_database(paths.data)
        try:
            self._load()
        except StorageError as error:  # a large file is not checked when it is opened
            self.database = open_instead(self.database, error)
            self._load()
        self._move_friends()

    def _load(self) -> None:
        self.favourites = Favourites(self.database)
        self.blocked = Blocked(self.database)
        self.history = History(self.database)
        self.notes = Notes(self.database)
        self.friends = Friends(self.database)
        self.alerts = Alerts(self.database)
        self.passwords = ServerPasswords(self.database, self.secrets)
        self.launch_settings = LaunchSettings(self.database)
        self.kept = Kept(self.database)
        self.favourite_keys = FavouriteKeys(self.kept)
        self.column_maps = ColumnMaps(self.kept)
        self.saved_filters = SavedFilters(self.database)
        self.samples = Samples(self.database)
        self.rounds = RoundStore(self.database)
        self.ratings_cache = RatingsCache(self.database)
        self.identities = Identities(self.database)
        self.skill_samples = SkillSamples(self.database)
        self.watched_folders = WatchedFolders(self.database)
        self.asked = AskedLog(self.database)

    def _move_friends(self) -> None:
        """From the settings, where older programs had them; only once they are safe in the database."""
        names = [name for name in self.settings.get(FRIENDS) if name.strip("*? ")]
        if not names:
            return
        now = time.time()
        with suppress(StorageError):  # the next start tries again
            self.friends.put(Friend(kind_of(name), name, GROUPS[0], now) for name in names).result()
            self.settings.set(FRIENDS, ())

    @property
    def problems(self) -> list[str]:
        """What the user should be told about opening it, one line each."""
        notice = self.database.notice
        return [*self.settings.problems, *self.settings.notices, *([notice] if notice else [])]

    def own_skill(self) -> Mapping[str, float]:
        """The user's skill by game id, in the game's points."""
        return self.settings.get(MY_SKILL)

    def lists(self, now: float) -> UserLists:
        """The user's lists as the catalogue wants them, at Unix time `now`."""
        return UserLists(
            favourite=self.favourites.marks(self.favourite_keys),
            blocked=self.blocked.marks(),
            recently_left=self.history.recently_left(now),
            password_saved=self.passwords.marks(),
            friends=self.friends.names(),
            notes=self.notes.all(),
            last_played=self.history.last_played(),
        )

    def close(self) -> None:
        """Write what is waiting and close the files."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
