"""What the window gets of the parts behind it."""

from browser_app.bridge.alerts import AlertWatch
from browser_app.bridge.ask_again import AskAgain
from browser_app.bridge.friend_watch import FriendWatch
from browser_app.bridge.notifications import Notifications
from browser_app.bridge.past_reader import PastReader
from browser_app.bridge.running_game import RunningGame
from browser_app.bridge.slot_watch import SlotWatchBridge
from browser_app.bridge.steam_key import SteamKeyBox
from browser_app.ui.joining.services import JoinServices
from browser_app.ui.list_exchange import ExchangeServices
from browser_app.ui.people.services import PeopleServices
from browser_app.ui.services import Services
from browser_app.ui.settings_control import SettingsServices
from browser_app.ui.skill.skill_control import SkillParts
from browser_app.window_app.parts import Parts


def services_of(parts: Parts) -> Services:
    """All of it."""
    session, scoring = parts.session, parts.scoring
    return Services(
        live=parts.live,
        games=parts.games,
        lan=parts.lan,
        kept=session.kept,
        saved_filters=session.saved_filters,
        sampling=parts.sampling,
        past=PastReader(session.samples, parts.background),
        own_skill=lambda: scoring.skill,
        preset=lambda: scoring.preset,
        toggle_favourite=parts.own_lists.toggle_favourite,
        bridge=parts.bridge,
        search=parts.search,
        exchange=ExchangeServices(session, parts.games, parts.background, parts.own_lists.came),
        play_options=scoring.play_options,
        people=_people(parts),
        joining=_joining(parts),
        settings=_settings(parts),
        skill=_skill(parts),
    )


def _people(parts: Parts) -> PeopleServices:
    session = parts.session
    return PeopleServices(
        notes=session.notes,
        friends=session.friends,
        blocked=session.blocked,
        alerts=session.alerts,
        history=session.history,
        passwords=session.passwords,
        launch_settings=session.launch_settings,
        background=parts.background,
        watch=AlertWatch(parts.live, session.alerts),
        friend_watch=FriendWatch(parts.live, parts.settings),
        notifications=Notifications(parts.background),
        lists_changed=parts.joins.lists_changed,
    )


def _joining(parts: Parts) -> JoinServices:
    return JoinServices(
        launcher=parts.joins,
        background=parts.background,
        ask_again=AskAgain(parts.live, parts.scanner),
        slots=SlotWatchBridge(parts.live, parts.scanner),
        game=RunningGame(parts.live),
        settings=parts.settings,
    )


def _settings(parts: Parts) -> SettingsServices:
    steam_key = SteamKeyBox(parts.session.secrets, parts.background)
    steam_key.changed.connect(lambda: parts.skill.sources.sample(now=True))
    return SettingsServices(
        settings=parts.settings,
        steam_key=steam_key,
        masters=parts.masters,
        games=parts.games,
        kept=parts.session.kept,
    )


def _skill(parts: Parts) -> SkillParts:
    return SkillParts(
        room=parts.skill,
        live=parts.live,
        games=parts.games,
        identities=parts.session.identities,
        settings=parts.settings,
        background=parts.background,
        kept=parts.session.kept,
    )
