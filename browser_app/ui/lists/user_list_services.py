"""Objects that notes, friends, alerts and blocking depend on."""

from collections.abc import Callable
from dataclasses import dataclass

from browser_app.bridge.alert_watch import AlertWatch
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.desktop_notifications import DesktopNotifier
from browser_app.bridge.friend_watch import FriendWatch
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.storage.user_session import UserSession


@dataclass(frozen=True)
class UserListServices:
    """Objects below the controllers of the user's lists."""

    session: UserSession
    server_list: ServerListController
    background: BackgroundTasks
    alert_watch: AlertWatch
    friend_watch: FriendWatch
    notifications: DesktopNotifier
    notify_lists_changed: Callable[[], None]
    """Updates the server list after a change."""
