"""The main window: top bar, views, status line; every decision is made elsewhere."""

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.timings import mark
from browser_app.ui.actions import Keys
from browser_app.ui.controls import Button, Surface
from browser_app.ui.filter_field import FilterField
from browser_app.ui.joining.join_control import JoinControl
from browser_app.ui.list_exchange import ListExchange
from browser_app.ui.masters_popup import MasterLine, MastersPopup
from browser_app.ui.menus import make_menu, popup_menu
from browser_app.ui.more_button import MoreButton
from browser_app.ui.people.people_control import PeopleControl
from browser_app.ui.play_bar import PlayBar
from browser_app.ui.play_control import PlayControl
from browser_app.ui.play_popover import PlayPopover
from browser_app.ui.refresh_control import RefreshControl
from browser_app.ui.server_links import ServerLinks
from browser_app.ui.servers_view import MENU, ServersView
from browser_app.ui.services import Services
from browser_app.ui.settings_control import SettingsControl
from browser_app.ui.skill.skill_control import SkillControl
from browser_app.ui.status_line import StatusLine
from browser_app.ui.theme import Theme
from browser_app.ui.view_switch import ViewSwitch
from browser_app.ui.window_place import WindowPlace

if TYPE_CHECKING:
    from browser_app.ui.skill.skill_view import SkillView

TOP_HEIGHT = 60
SERVERS, SKILL = 0, 1
"""Places of the views."""


class MainWindow(Surface):
    """Joins the parts."""

    def __init__(self, theme: Theme, services: Services) -> None:
        super().__init__(theme, "window")
        self._theme = theme
        self.live = services.live
        self.play_bar = PlayBar(theme)
        self.filter_field = FilterField(theme)
        self.refresh_button = Button(theme, "", "refresh", height=32)
        self.switch = ViewSwitch(theme, (_("Servers"), _("My skill")))
        self.servers = ServersView(theme, services, self.filter_field)
        self.views = QStackedWidget()
        self.status = StatusLine(theme)
        self.popover = PlayPopover(theme, self)
        self.joining = JoinControl(theme, self, self.play_bar, self.live, services.joining)
        self.play = PlayControl(
            self.play_bar,
            self.popover,
            self.servers.table,
            self.live,
            services.bridge,
            services.play_options,
            self.joining,
        )
        self.more = MoreButton(theme)
        self.exchange = ListExchange(theme, self, services.exchange)
        self.links = ServerLinks(theme, self, self.live, services.search, self.servers.toggle_favourite)
        self.asking = RefreshControl(self.refresh_button, self.status, self.live)
        self.people = PeopleControl(theme, self.servers, services.people, services.kept)
        self.keys = Keys(self, self.servers.table)
        self.skill = SkillControl(theme, services.skill, self.servers.inspector.expected)
        self.preferences = SettingsControl(
            theme,
            self,
            services.settings,
            self.servers.show_rows,
            self.servers.panels.place_inspector,
            self.keys.joined,
        )
        self.setWindowTitle("Ready Room")
        self.resize(1280, 800)
        self.setMinimumSize(640, 420)
        self.place = WindowPlace(self, services.kept)
        self.place.restore()
        self._lay_out()
        self._connect()
        self._join_keys()
        self._painted = False

    def _lay_out(self) -> None:
        top = Surface(self._theme, "window", "B")
        top.setFixedHeight(TOP_HEIGHT)
        bar = QHBoxLayout(top)
        bar.setContentsMargins(0, 0, 0, 1)
        bar.setSpacing(12)
        bar.addWidget(self.play_bar, 2)
        bar.addWidget(self.filter_field, 1)
        bar.addWidget(self.refresh_button)
        bar.addWidget(self.switch)
        bar.addWidget(self.more)
        bar.addSpacing(12)  # a margin would not turn with the direction
        self.views.addWidget(self.servers)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(top)
        page.addWidget(self.joining.strips)
        page.addWidget(self.views, 1)
        page.addWidget(self.status)
        self._order_tabs()
        self.servers.table.setFocus()

    def _order_tabs(self) -> None:
        order: tuple[QWidget, ...] = (
            self.play_bar.button,
            self.popover.offer,
            self.filter_field,
            self.refresh_button,
            self.switch,
            self.more,
            *self.servers.focus_order(),
        )
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    @cached_property
    def skill_view(self) -> "SkillView":
        """My skill, which takes its place when it is first wanted."""
        view = self.skill.view
        self.views.addWidget(view)
        for before, after in pairwise((self.servers.focus_order()[-1], *view.focus_order())):
            QWidget.setTabOrder(before, after)
        self.status.add_view(view.status, view.asked)
        view.server_wanted.connect(self.show_server)
        return view

    def _connect(self) -> None:
        view = self.servers
        self.live.progressed.connect(self._show_progress)
        self.live.running_changed.connect(self._show_progress)
        self.play_bar.button.menu_wanted.connect(self._open_play_menu)
        self.play.filter_wanted.connect(self.filter_field.set_text)
        self.filter_field.left.connect(view.table.setFocus)
        self.switch.currentChanged.connect(self._show_view)
        self.skill.told.connect(self.status.tell)
        view.table.server_selected.connect(self.skill.select)
        self.skill.list_wanted.connect(self._show_nearest_in_skill)
        self.skill.known_changed.connect(view.first_run.show_skill)
        view.first_run.show_skill(self.skill.known)
        self.status.masters.clicked.connect(self._open_masters)
        view.order.hold_changed.connect(lambda held, reason: self.status.show_held(held=held, reason=reason))
        view.join_wanted.connect(self.joining.join)
        view.wait_wanted.connect(self.joining.wait)
        view.password_wanted.connect(self.joining.join_with_password)
        self.joining.told.connect(self.status.tell)
        self.joining.begun.connect(lambda _server: self.people.notes.save())  # extra arguments are for this start, too
        self.joining.refresh_wanted.connect(self.asking.refresh)
        view.ask_wanted.connect(self.asking.ask)
        view.refresh_wanted.connect(self.asking.refresh)
        view.told.connect(self.status.tell)
        self.links.told.connect(self.status.tell)
        self.exchange.told.connect(self.status.tell)
        self.links.show_wanted.connect(self.show_server)
        self.links.join_wanted.connect(self.joining.join)
        self.links.password_told.connect(self.joining.passwords.tell)
        self.preferences.told.connect(self.status.tell)
        self.preferences.refresh_wanted.connect(self.asking.refresh)
        view.key_wanted.connect(self.preferences.open_key)
        view.address_wanted.connect(self.links.add)
        view.first_run.skill_wanted.connect(self._say_who)
        view.first_run.masters_wanted.connect(self._open_masters)
        self.more.add([(_("Add a server by its address…"), self.links.add), *self.exchange.entries()])
        self.people.told.connect(self.status.tell)
        self.joining.waiting.slot_free.connect(self.people.alerts.tell_free_slot)
        self.people.show_wanted.connect(self.show_server)
        self.people.show_wanted.connect(self.come_to_front)
        self.people.alerts.join_wanted.connect(self.come_to_front)  # where it asks, and where Cancel is
        self.more.add(self.people.menu())
        self.more.add(self.preferences.entries)

    def _join_keys(self) -> None:
        view, play = self.servers, self.play_bar.button.click
        self.keys.join(
            {
                "play": play,
                "play_anywhere": play,
                "wait": lambda: self.joining.wait(view.details.server),
                "favourite": lambda: view.toggle_favourite(view.details.server),
                "copy": self._among_servers(view.copy_address),
                "note": self.people.write_note,
                "block": self.people.block,
                "add": self.links.add,
                "paste": self.links.paste,
                "filter": self._go_to_filter,
                "clear": view.filters.clear,
                "hold": view.toggle_hold,
                "inspect": view.panels.inspector_fold.toggle,
                "inspect_anywhere": self._among_servers(view.panels.inspector_fold.toggle),
                "side": self._fold_side,
                "refresh": self.asking.refresh,
                "escape": self._escape,
                "servers": lambda: self.switch.setCurrentIndex(SERVERS),
                "skill": lambda: self.switch.setCurrentIndex(SKILL),
                "next_page": lambda: self._turn_page(1),
                "previous_page": lambda: self._turn_page(-1),
                "settings": self.preferences.open,
                "keys": self.preferences.open_keys,
            }
        )

    def show_server(self, server: int) -> None:
        """Bring a server into sight, whatever hides it."""
        self.switch.setCurrentIndex(SERVERS)
        self.servers.show_server(server)

    def show_skill(self, page: str) -> None:
        """Bring a page of My skill to the front, this once."""
        self.switch.setCurrentIndex(SKILL)
        self.skill_view.show_page(page, keep=False)

    def _say_who(self) -> None:
        self.switch.setCurrentIndex(SKILL)
        self.skill_view.open_who()

    def _show_nearest_in_skill(self, game: str) -> None:
        self.switch.setCurrentIndex(SERVERS)
        self.servers.show_nearest_in_skill(game)

    def _among_servers(self, work: Callable[[], object]) -> Callable[[], object]:
        """Done while the servers are in sight only."""
        return lambda: work() if self.switch.currentIndex() == SERVERS else None

    def _turn_page(self, by: int) -> None:
        if self.switch.currentIndex() == SKILL:
            self.skill_view.turn_page(by)

    def _fold_side(self) -> None:
        (self.servers.panels if self.switch.currentIndex() == SERVERS else self.skill_view).side_fold.toggle()

    def come_to_front(self) -> None:
        """As far as the desktop lets a window do that."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def _show_view(self, place: int) -> None:
        self.views.setCurrentWidget(self.servers if place == SERVERS else self.skill_view)
        self.filter_field.setEnabled(place == SERVERS)
        self.status.show_view(servers=place == SERVERS)

    def _go_to_filter(self) -> None:
        self.switch.setCurrentIndex(SERVERS)
        self.filter_field.focus()

    def _open_play_menu(self, where: QPoint) -> None:
        server, view = self.play.choice, self.servers
        menu = make_menu(
            self,
            (
                (_("Show this server"), lambda: self.show_server(server)),
                (_("Skip this one for an hour"), lambda: self.play.skip(server)),
            ),
        )
        for action in menu.actions():
            action.setEnabled(server >= 0)
        menu.addSeparator()
        menu.addAction(_("Settings of Play Now…"), self.preferences.open_play_now)
        popup_menu(menu, where, lambda held: view.order.hold(MENU, held))

    def _open_masters(self) -> None:
        popup = MastersPopup(self._theme, self, self._master_lines)
        self.live.progressed.connect(popup.refresh)
        self.live.running_changed.connect(popup.refresh)
        popup.open_above(self.status.masters.mapToGlobal(QPoint(0, 0)))

    def _master_lines(self) -> list[MasterLine]:
        masters = self.live.poll.masters if self.live.poll is not None else ()
        return [MasterLine(each.url, each.servers, each.error or "", each.done) for each in masters]

    def _escape(self) -> None:
        if not self.play.idle():
            self.play_bar.button.click()
        elif self.switch.currentIndex() == SKILL and self.skill_view.working:
            self.skill_view.cancel()
        elif not self.joining.escape() and not self.filter_field.escape() and not self.servers.escape():
            self.asking.stop()

    def _show_progress(self) -> None:
        poll = self.live.poll
        if poll is not None:
            progress, running, refused = poll.progress, self.live.running, sum(poll.progress.dropped.values())
            self.status.show_scan(progress.done, progress.targets, running=running)
            self.status.show_traffic(progress.sent, progress.received, refused, running=running)
            answered = sum(1 for master in poll.masters if master.ok)
            self.status.show_masters(answered, self.live.master_failures(), len(poll.masters))

    # Qt's hooks

    def paintEvent(self, event: QPaintEvent) -> None:
        """Mark the first paint for whoever measures the start."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, lambda: mark("first_paint"))

    def closeEvent(self, event: QCloseEvent) -> None:
        """End everything at once."""
        self.place.save()
        self.play.close()
        self.joining.close()
        self.asking.close()
        self.links.close()
        self.exchange.close()
        self.people.close()
        self.skill.close()
        self.servers.close_all()
        self.live.close()
        super().closeEvent(event)
