"""Objects that notes, friends, alerts and blocking depend on."""

from collections.abc import Callable
from dataclasses import dataclass

from browser_app.bridge.alert_watch import AlertWatch
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.desktop_notifications import DesktopNotifier
from browser_app.bridge.friend_watch import FriendWatch
from browser_app.storage.keyring_store import ServerPasswords
from browser_app.storage.lists.alert_store import AlertStore
from browser_app.storage.lists.friend_store import FriendStore
from browser_app.storage.lists.server_list_store import BlockList
from browser_app.storage.lists.server_text_store import ServerTextStore
from browser_app.storage.lists.visit_history_store import VisitHistory


@dataclass(frozen=True)
class UserListServices:
    """Objects below the controllers of the user's lists."""

    notes: ServerTextStore
    friends: FriendStore
    blocked: BlockList
    alerts: AlertStore
    history: VisitHistory
    passwords: ServerPasswords
    launch_arguments: ServerTextStore
    background: BackgroundTasks
    alert_watch: AlertWatch
    friend_watch: FriendWatch
    notifications: DesktopNotifier
    notify_lists_changed: Callable[[], None]
    """Updates the server list after a change."""
