"""What notes, friends, alerts and blocking work with; made by the start-up code."""

from collections.abc import Callable
from dataclasses import dataclass

from browser_app.bridge.alerts import AlertWatch
from browser_app.bridge.background import Background
from browser_app.bridge.friend_watch import FriendWatch
from browser_app.bridge.notifications import Notifications
from browser_app.storage.alerts import Alerts
from browser_app.storage.blocked import Blocked
from browser_app.storage.friends import Friends
from browser_app.storage.history import History
from browser_app.storage.launch_settings import LaunchSettings
from browser_app.storage.notes import Notes
from browser_app.storage.server_passwords import ServerPasswords


@dataclass(frozen=True)
class PeopleServices:
    """The parts below."""

    notes: Notes
    friends: Friends
    blocked: Blocked
    alerts: Alerts
    history: History
    passwords: ServerPasswords
    launch_settings: LaunchSettings
    background: Background
    watch: AlertWatch
    friend_watch: FriendWatch
    notifications: Notifications
    lists_changed: Callable[[], None]
    """Have the list know what was saved."""
