"""All data of the user, opened and closed together."""

from collections.abc import Mapping
from typing import Self

from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.launch.launch_arguments import split_arguments
from browser_app.paths import UserPaths
from browser_app.storage.database import open_database, reopen_after_error
from browser_app.storage.keyring_store import Secrets, ServerPasswords
from browser_app.storage.own_skill.column_map_store import ColumnMapStore
from browser_app.storage.own_skill.round_store import RoundStore, WatchedFolderStore
from browser_app.storage.own_skill.skill_sample_store import IdentityStore, RequestLog, SkillSampleStore
from browser_app.storage.server_samples import ServerSampleStore
from browser_app.storage.setting_declarations import OWN_SKILL
from browser_app.storage.settings_store import Settings
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.ui_state import UiState
from browser_app.storage.user_lists.alert_store import AlertStore
from browser_app.storage.user_lists.friend_store import FriendStore
from browser_app.storage.user_lists.pending_server_store import PendingServers
from browser_app.storage.user_lists.saved_filter_store import SavedFilterStore
from browser_app.storage.user_lists.saved_list_servers import SavedListServers
from browser_app.storage.user_lists.search_alert_store import SearchAlertStore
from browser_app.storage.user_lists.server_list_store import BlockList, FavouriteStore, PendingFavouriteKeys
from browser_app.storage.user_lists.server_text_store import ServerTextStore, check_country
from browser_app.storage.user_lists.visit_history_store import VisitHistory


class UserStorage:
    """The user's settings, lists and history.

    Use it as a context manager, or call `close`.
    """

    def __init__(self, paths: UserPaths) -> None:
        """Open all stores. Never fails: see `problems`."""
        self.settings = Settings(paths.settings)
        self.secrets = Secrets()
        self.database = open_database(paths.data)
        try:
            self._load()
        except StorageError as error:  # a large file is not checked when opened
            self.database = reopen_after_error(self.database, error)
            self._load()

    def _load(self) -> None:
        self.favourites = FavouriteStore(self.database)
        self.blocked = BlockList(self.database)
        self.visit_history = VisitHistory(self.database)
        self.notes = ServerTextStore(self.database, "notes")
        self.friends = FriendStore(self.database)
        self.alerts = AlertStore(self.database)
        self.search_alerts = SearchAlertStore(self.database)
        self.passwords = ServerPasswords(self.database, self.secrets)
        self.corrected_countries = ServerTextStore(self.database, "corrected_countries", check_country)
        self.launch_arguments = ServerTextStore(self.database, "launch_arguments", split_arguments)
        self.ui_state = UiState(self.database)
        self.favourite_keys = PendingFavouriteKeys(self.ui_state)
        self.pending_servers = PendingServers(self.ui_state)
        self.column_maps = ColumnMapStore(self.ui_state)
        self.saved_filters = SavedFilterStore(self.database)
        self.saved_list_servers = SavedListServers(self.ui_state, self.saved_filters)
        self.server_samples = ServerSampleStore(self.database)
        self.round_store = RoundStore(self.database)
        self.identities = IdentityStore(self.database)
        self.skill_samples = SkillSampleStore(self.database)
        self.watched_folders = WatchedFolderStore(self.database)
        self.request_log = RequestLog(self.database)

    @property
    def problems(self) -> list[str]:
        """Messages for the user about opening and reading the data, one line each."""
        notice = self.database.notice
        about_database = [*([notice] if notice else []), *self.database.unreadable_texts]
        return [*self.settings.problems, *self.settings.notices, *about_database]

    def own_skill(self) -> Mapping[str, float]:
        """Return the user's skill in points by game id."""
        return self.settings.get(OWN_SKILL)

    def collect_user_lists(self, now: float) -> UserLists:
        """Return the user's lists for the catalogue at Unix time `now` (s)."""
        return UserLists(
            favourite=self.favourites.create_matcher(self.favourite_keys),
            blocked=self.blocked.create_matcher(),
            recently_left=self.visit_history.match_recently_left(now),
            left_early=self.visit_history.match_left_early(now),
            password_saved=self.passwords.create_matcher(),
            has_user_data=self._match_servers_with_user_data(),
            friends=self.friends.build_friend_list(),
            notes=self.notes.all(),
            countries=self.corrected_countries.all(),
            last_played=self.visit_history.last_played(),
        )

    def _match_servers_with_user_data(self) -> ServerMatcher:
        alerts = {alert.address for alert in self.alerts}
        texts = (self.notes.all(), self.corrected_countries.all(), self.launch_arguments.all())
        return ServerMatcher(addresses=frozenset(alerts.union(*texts)))

    def close(self) -> None:
        """Finish all writes and close the files."""
        self.saved_list_servers.save_updated_targets()
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
