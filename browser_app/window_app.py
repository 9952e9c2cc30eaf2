"""The window program: its parts put together, from the stored list to the running event loop."""

import argparse
import gc
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from browser_app.bridge.alerts import AlertWatch
from browser_app.bridge.ask_again import AskAgain
from browser_app.bridge.background import Background
from browser_app.bridge.known_list import KnownList
from browser_app.bridge.lan_search import LanSearch
from browser_app.bridge.live_list import LiveList
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.master_health import MasterHealth
from browser_app.bridge.notifications import Notifications
from browser_app.bridge.one_instance import OneInstance
from browser_app.bridge.past_reader import PastReader
from browser_app.bridge.play_now import PlayNowBridge
from browser_app.bridge.running_game import RunningGame
from browser_app.bridge.sampling import Sampling
from browser_app.bridge.server_search import ServerSearch
from browser_app.bridge.settings_effects import Effects, SettingsEffects, own_country
from browser_app.bridge.skill.room import SkillRoom
from browser_app.bridge.slot_watch import SlotWatchBridge
from browser_app.bridge.steam_key import SteamKeyBox
from browser_app.bridge.storage_watch import StorageWatch
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Status, Target
from browser_app.catalogue.filter_language import parse_filter
from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput, Exit
from browser_app.commands.joins import Joins
from browser_app.commands.output import say
from browser_app.commands.polling import own_skill, read_sources, sources_of_settings
from browser_app.engine.lan import lan_master
from browser_app.engine.master_source import LanMaster
from browser_app.engine.pacing import PACES
from browser_app.engine.poll import Poll, start_poll
from browser_app.engine.scan import Scan
from browser_app.engine.scanner import Scanner
from browser_app.engine.sources import Sources
from browser_app.engine.standing import PlayOptions
from browser_app.games.profile import RankingConstants
from browser_app.language import gettext as _
from browser_app.paths import resources, runtime_folder, user_paths
from browser_app.protocols.address import Address
from browser_app.protocols.conversation import Want
from browser_app.storage.declared import (
    COUNTRY,
    FORECAST_COUNTS,
    HISTORY_MB,
    LANGUAGE,
    OWN_VERSIONS,
    PACE,
    PLAY_FILTER,
    PRESET,
    SCALE,
    SCAN_AT_START,
    THEME,
)
from browser_app.storage.favourites import Favourite
from browser_app.storage.samples import ROWS_A_MEGABYTE
from browser_app.storage.settings import Settings
from browser_app.ui.joining.services import JoinServices
from browser_app.ui.list_exchange import ExchangeServices
from browser_app.ui.people.services import PeopleServices
from browser_app.ui.services import Services
from browser_app.ui.settings_control import SettingsServices
from browser_app.ui.skill.skill_control import SkillParts
from browser_app.ui.spoken_language import speak
from browser_app.ui.theme import Theme
from browser_app.ui.window import MainWindow

_HOME_BROADCAST = "127.255.255.255"
_AT_ONCE = 100
"""Of favourites that were brought in so many are asked at once; the others with the next refresh."""
_SETTLED_MS = 700
"""So long a picture waits for what is still on its way."""
_WAKE_MS = 250
"""How often Python gets a chance to see Ctrl-C while Qt waits: four times a second, the most that idling may wake."""


class WindowProgram:
    """Everything behind one window. Use as a context manager: leaving it ends and saves all."""

    def __init__(self, args: argparse.Namespace, context: Context, app: QApplication, theme: str | None = None) -> None:
        """Put the parts together; nothing is asked yet.

        Raises:
            BadInput: a source is wrong.
        """
        self._ends = ExitStack()
        try:
            self._put_together(args, context, app, theme)
        except BaseException:
            self._ends.close()
            raise

    def _put_together(self, args: argparse.Namespace, context: Context, app: QApplication, theme: str | None) -> None:
        self._demo = args.demo is not None
        self.session = self._ends.enter_context(context.open_session(demo=self._demo))
        self._sources = self._ends.enter_context(read_sources(args, context, self.session))
        self._background = Background()
        self._ends.callback(self._background.close)
        self.settings = LiveSettings(self.session.settings, self._background)
        self._ends.callback(self.settings.close)
        speak(app, resources() / "languages", self.settings.get(LANGUAGE))
        self._profile_problem = context.profile_problem
        self._scanner = self._ends.enter_context(Scanner(context.games))
        self.skill = SkillRoom(
            self.session,
            self.settings,
            context.games,
            partial(own_skill, args, context, self.session),
            self._steam_key,
            self._sources.player,
        )
        self._ends.callback(self.skill.close)
        self._skill = self.skill.panel.points_for_list()
        self._preset = self._chosen_preset(args, context)
        self.catalogue = Catalogue(context.games)
        self.catalogue.set_lists(self.session.lists(time.time()))
        self.catalogue.forecast_counts = self.session.settings.get(FORECAST_COUNTS)
        self.live = LiveList(self.catalogue, self._poll, self._ask, lambda: self._skill, lambda: self._preset)
        self._ends.callback(self.live.close)
        self.known = KnownList(self.live, self.session.database)
        self.theme = Theme(app, theme or self.session.settings.get(THEME))
        self.joins = Joins(self.catalogue, context.games, self.session)
        self.bridge = PlayNowBridge(self.live, self._scanner, lambda: PACES[self.session.settings.get(PACE)])
        self.lan = LanSearch(partial(self._lan_source, context, args))
        self._ends.callback(self.lan.close)
        self.sampling = Sampling(self.live, self.session.samples, self._most_samples, self._sources.past)
        self._ends.callback(self.sampling.close)
        self.search = ServerSearch(self.live, self._scanner, context.games)
        self._ends.callback(self.search.close)
        self._join_settings(args, context)
        self.masters = MasterHealth(self.live, self.session.kept, self._background, context.games, self._steam_key)
        self._ends.callback(self.masters.close)
        services = Services(
            live=self.live,
            games=context.games,
            lan=self.lan,
            kept=self.session.kept,
            saved_filters=self.session.saved_filters,
            sampling=self.sampling,
            past=PastReader(self.session.samples, self._background),
            own_skill=lambda: self._skill,
            preset=lambda: self._preset,
            toggle_favourite=self._toggle_favourite,
            bridge=self.bridge,
            search=self.search,
            exchange=ExchangeServices(self.session, context.games, self._background, self._lists_came),
            play_options=self._play_options,
            people=self._people(),
            joining=JoinServices(
                launcher=self.joins,
                background=self._background,
                ask_again=AskAgain(self.live, self._scanner),
                slots=SlotWatchBridge(self.live, self._scanner),
                game=RunningGame(self.live),
                settings=self.settings,
            ),
            settings=SettingsServices(
                settings=self.settings,
                steam_key=self._steam_key_box(),
                masters=self.masters,
                games=context.games,
                kept=self.session.kept,
            ),
            skill=SkillParts(
                room=self.skill,
                live=self.live,
                games=context.games,
                identities=self.session.identities,
                settings=self.settings,
                background=self._background,
                kept=self.session.kept,
            ),
        )
        self.window = MainWindow(self.theme, services)
        self._watch = StorageWatch(self.session.database)
        self._watch.changed.connect(self._tell_storage)
        self._ends.callback(self._watch.close)
        self._ends.callback(self.window.close)
        self._ends.callback(self.known.close)

    def _steam_key_box(self) -> SteamKeyBox:
        box = SteamKeyBox(self.session.secrets, self._background)
        box.changed.connect(lambda: self.skill.sources.sample(now=True))
        return box

    def _people(self) -> PeopleServices:
        session = self.session
        return PeopleServices(
            notes=session.notes,
            friends=session.friends,
            blocked=session.blocked,
            alerts=session.alerts,
            history=session.history,
            passwords=session.passwords,
            launch_settings=session.launch_settings,
            background=self._background,
            watch=AlertWatch(self.live, session.alerts),
            notifications=Notifications(self._background),
            lists_changed=self.joins.lists_changed,
        )

    def _chosen_preset(self, args: argparse.Namespace, context: Context) -> RankingConstants | None:
        name = getattr(args, "preset", None) or self.session.settings.get(PRESET)
        return context.presets.get(name)

    def _join_settings(self, args: argparse.Namespace, context: Context) -> None:
        def rate() -> None:
            self._skill, self._preset = self.skill.panel.points_for_list(), self._chosen_preset(args, context)
            self.catalogue.forecast_counts = self.settings.get(FORECAST_COUNTS)
            self.live.rescore()

        def place() -> None:
            self.catalogue.own_country = own_country(self.settings)

        effects: Effects = {
            PRESET.key: rate,
            FORECAST_COUNTS.key: rate,
            HISTORY_MB.key: self.sampling.do_chores,
            COUNTRY.key: place,
        }
        self.skill.panel.points_changed.connect(rate)
        place()
        read = partial(sources_of_settings, context, self.session.settings) if self._sources.of_settings else None
        self._effects = SettingsEffects(self.settings, self._background, effects, read)
        self._effects.sources_read.connect(self._take_sources)

    def _take_sources(self, sources: Sources, problems: Sequence[str]) -> None:
        self._sources = replace(self._sources, sources=sources, problems=problems)
        self.window.status.show_message(" · ".join(self._problems()), warning=bool(problems))

    def _problems(self) -> list[str]:
        """What the user should be told about settings and lists, one line each."""
        return [*filter(None, [self._profile_problem]), *self.session.problems, *self._sources.problems]

    def _steam_key(self) -> str | None:
        """The demo network's key or the user's; may block."""
        return (self._sources.steam_key or self.session.secrets.steam_key)()

    def open(self) -> None:
        """Show the window, bring the remembered rows back, and ask everybody."""
        self._add_favourites()
        self.known.failed.connect(
            lambda why: self.window.status.show_message(
                _("The list from last time cannot be read: {why}").format(why=why)
            )
        )
        self.known.bring_back()
        self.sampling.start()
        self.skill.start()
        self.window.servers.welcome()
        if self.window.servers.welcoming and not self._demo:  # a demo asks nobody outside this machine
            self.window.exchange.look(self.window.servers.first_run.show_found)
        self.window.show()
        if self.session.settings.get(SCAN_AT_START):
            self.live.refresh()
        self.window.status.show_message(" · ".join(self._problems()), warning=bool(self._problems()))

    def _add_favourites(self) -> list[int]:
        """Have those in the list too that no master lists; their rows."""
        kept = self.session.favourites
        rows = self.catalogue.add([Target(each.address, each.protocol, each.game) for each in kept if each.protocol])
        return [row for row in rows.tolist() if row >= 0]

    def _lists_came(self) -> None:
        """Lists were brought in: the list knows them, and favourites that were never asked are asked at once."""
        rows = self._add_favourites()
        self.joins.lists_changed()
        new = [row for row in rows if self.catalogue.status[row] == Status.NEVER_ASKED]
        for row in new[:_AT_ONCE]:
            self.live.ask(row)
        self.live.rescore()

    def open_again(self, urls: Sequence[str], activation_token: str) -> None:
        """Another start was to open these: the window comes to the front and shows them."""
        if activation_token:
            os.environ["XDG_ACTIVATION_TOKEN"] = activation_token  # Qt hands it to the compositor
        self.window.come_to_front()
        self.window.links.open(urls)

    def _most_samples(self) -> int:
        return round(self.session.settings.get(HISTORY_MB) * ROWS_A_MEGABYTE)

    def _tell_storage(self, problem: str) -> None:
        if problem:
            self.window.status.show_message(problem, warning=True)
        else:
            self.window.status.show_message(" · ".join(self._problems()))
            self.window.status.tell(_("Saving works again"))

    def _play_options(self, skipped: frozenset[Address]) -> PlayOptions:
        wanted = parse_filter(self.session.settings.get(PLAY_FILTER))
        return PlayOptions(
            wanted=wanted,
            player_skill=self._skill,
            preset=self._preset,
            skipped=skipped,
            own_versions=self.session.settings.get(OWN_VERSIONS),
        )

    def _lan_source(self, context: Context, args: argparse.Namespace) -> LanMaster:
        """The local network; with the demo network only this machine, where all of that is."""
        master = lan_master(context.games.values())
        return replace(master, broadcasts=(_HOME_BROADCAST,)) if args.demo is not None else master

    def _poll(self, known: Sequence[Target]) -> Poll:
        self.catalogue.set_lists(self.session.lists(time.time()))  # what was left recently is not for ever
        pace = PACES[self.session.settings.get(PACE)]
        return start_poll(self._scanner, self._sources.sources, pace=pace, steam_key=self._steam_key, known=known)

    def _ask(self, target: Target) -> Scan:
        scan = self._scanner.scan([target], pace=PACES["normal"], want=Want.ALL, urgent=True)
        scan.seal()
        return scan

    def _toggle_favourite(self, server: int) -> None:
        target, facts = self.catalogue.targets[server], self.catalogue.facts(server)
        key = facts.stable_key if facts else None
        if self.catalogue.favourite[server]:
            self.session.favourites.remove(target.address, key)
        else:
            name = facts.name if facts else ""
            self.session.favourites.add(Favourite(target.address, name, time.time(), target.protocol, target.game, key))
        self.catalogue.set_lists(self.session.lists(time.time()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ends.close()


def open_window(args: argparse.Namespace, context: Context) -> int:
    """Open the window and run until it is closed; the exit status. A window that is open takes the URL instead."""
    scale()
    app, urls = _application(), [args.url] if args.url else []
    one = None if _has_own_sources(args) else OneInstance(runtime_folder(), _data(args))
    if one is not None and one.hand_over(urls):
        say("ready-room: handed over to the window that is open")
        return Exit.DONE
    with ExitStack() as ends:
        if one is not None:
            ends.callback(one.close)
        program = ends.enter_context(WindowProgram(args, context, app))
        if one is not None:
            one.opened.connect(program.open_again)
        gc.freeze()  # what the start has made stays; no later collection needs to walk through it
        program.open()
        program.window.links.open(urls)
        return _run(app)


def _has_own_sources(args: argparse.Namespace) -> bool:
    """Whoever names sources wants a list of their own, in a window of its own."""
    return bool(args.game or args.master or args.server or args.lan)


def _data(args: argparse.Namespace) -> Path:
    """What no two windows should have open: the user's lists, or those of the demo network."""
    data = user_paths().data
    return data if args.demo is None else data / "demo"


def draw_window(args: argparse.Namespace, context: Context) -> None:
    """Draw the window after a full scan into `args.file`.

    Raises:
        BadInput: a source is wrong, or the file cannot be written.
    """
    app = _application()
    with WindowProgram(args, context, app, args.theme) as program:
        window = program.window
        window.resize(*args.size)
        window.show()
        if args.view == "skill":
            window.show_skill(args.page)
        awaited = {"scan", "past"}

        def end() -> None:
            if window.skill.view.working and args.view == "skill":
                QTimer.singleShot(_SETTLED_MS, end)
            else:
                app.quit()

        def come(what: str) -> None:
            awaited.discard(what)
            if not awaited:
                QTimer.singleShot(_SETTLED_MS, end)

        program.live.running_changed.connect(lambda running: None if running else come("scan"))
        program.sampling.recalled.connect(lambda: come("past"))
        program.sampling.start()
        program.skill.start()
        program.live.refresh()
        if _run(app) == Exit.INTERRUPTED:
            raise KeyboardInterrupt
        program.live.rescore()
        if not window.grab().save(str(args.file), "PNG"):
            raise BadInput(f"{args.file}: cannot be written")


def _run(app: QApplication) -> int:
    """Run until somebody ends it, also by Ctrl-C; the exit status."""
    before = signal.signal(signal.SIGINT, lambda *_: app.exit(Exit.INTERRUPTED))
    wake = QTimer(interval=_WAKE_MS)
    wake.timeout.connect(lambda: None)
    wake.start()
    try:
        return app.exec()
    finally:
        wake.stop()
        signal.signal(signal.SIGINT, before)


def scale() -> None:
    """Have Qt draw at the size that the settings say; an environment that names one goes first. Before Qt starts."""
    percent = Settings(user_paths().settings).get(SCALE)
    if percent != SCALE.default:
        os.environ.setdefault("QT_SCALE_FACTOR", f"{percent / 100:g}")


def _application() -> QApplication:
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    app = QApplication(sys.argv[:1])
    app.setApplicationName("ready-room")
    app.setApplicationDisplayName("Ready Room")
    app.setDesktopFileName("ready-room")
    return app
