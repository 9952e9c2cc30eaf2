"""Play Now in the window: shows the choice it would make, runs it on a press, and has the outcome joined."""

import time
from collections.abc import Callable
from itertools import chain

from PySide6.QtCore import QObject, QPoint, QTimer, Signal

from browser_app.bridge.live_list import LiveList
from browser_app.bridge.play_now import PlayNowBridge
from browser_app.engine.play_now import Candidate, Checked, ChoosingAgain, NothingFits, Outcome, Verified, Verifying
from browser_app.engine.standing import PlayOptions, scored_standing
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.protocols.address import Address
from browser_app.ranking.choose import choose
from browser_app.ranking.reason import reason_text
from browser_app.ui.joining.join_control import JoinControl
from browser_app.ui.joining.wording import name_of, numbers_of
from browser_app.ui.play_bar import PlayBar
from browser_app.ui.play_button import PlayState
from browser_app.ui.play_easing import Easing, best_easing
from browser_app.ui.play_popover import Offer, PlayPopover, Step
from browser_app.ui.table_view import ServerTableView
from browser_app.ui.texts import score_text, thousands

NOTICE_MS = 8000
"""So long the bar keeps what came of a launch before it shows the next choice; Play Now can be pressed meanwhile."""
SKIP_S = 3600.0
REFRESH_MS = 150


class PlayControl(QObject):
    """Joins the bar, the popover and the bridge. `options` gives what the user wants of Play Now; `joining` has a game
    started, and the bar while it does.

    Signals:
        filter_wanted: show the list with this filter.
    """

    filter_wanted = Signal(str)

    def __init__(
        self,
        bar: PlayBar,
        popover: PlayPopover,
        table: ServerTableView,
        live: LiveList,
        bridge: PlayNowBridge,
        options: Callable[[frozenset[Address]], PlayOptions],
        joining: JoinControl,
    ) -> None:
        super().__init__(bar)
        self._bar, self._popover, self._table, self._live, self._bridge = bar, popover, table, live, bridge
        self._options, self._joining = options, joining
        self._looking_for = PlayOptions()
        self._easing: Easing | None = None
        self._next: PlayOptions | None = None
        self._notice = QTimer(self, singleShot=True, interval=NOTICE_MS)
        self._notice.timeout.connect(self.refresh)
        self._skipped: dict[Address, float] = {}
        self.choice = -1
        """The server a press would choose now, -1 for none."""
        bar.play_wanted.connect(lambda: self._start(self._wanted()))
        popover.offer_taken.connect(self._take_offer)
        bar.cancel_wanted.connect(self._cancel)
        joining.begun.connect(self._give_way)
        joining.freed.connect(self.refresh)
        joining.noticed.connect(self.notice)
        bridge.stepped.connect(self._show_step)
        bridge.ended.connect(self._end)
        # In an event of its own: scoring, ordering and choosing in one piece would hold up a frame.
        self._rescored = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._rescored.timeout.connect(self.refresh)
        live.rescored.connect(lambda: None if self._rescored.isActive() else self._rescored.start())
        self.refresh()

    def refresh(self) -> None:
        """Show the choice that a press would make now."""
        if self._bridge.running or self._joining.uses_bar or self._notice.isActive():
            return
        standing = scored_standing(self._live.catalogue, self._wanted())
        chosen = choose(standing.candidates)
        usable = chosen.order if len(chosen.order) else chosen.backup
        self.choice = int(usable[0]) if len(usable) else -1
        self._table.set_chosen(self.choice)
        if self.choice >= 0:
            sentence = reason_text(standing.reason(self.choice), _)
            self._bar.show_choice(self._name(self.choice), self._numbers(self.choice), sentence)
        elif not len(standing.targets):
            self._bar.show_nothing(_("No servers yet"), _("Play Now chooses as soon as the first ones answer."))
        elif self._live.remembering or (self._live.running and self._live.catalogue.old.any()):
            self._bar.show_nothing(_("No server fits yet"), _("Play Now chooses as soon as one that fits answers."))
        else:
            self._bar.show_nothing(_("No server fits right now"), _excluded(chosen.rejected))

    def skip(self, server: int) -> None:
        """Do not choose this one for an hour."""
        self._skipped[self._live.catalogue.targets[server].address] = time.monotonic() + SKIP_S
        self._notice.stop()
        self.refresh()

    def notice(self, headline: str, sentence: str) -> None:
        """Show what came of something for a few seconds, unless something newer is going on."""
        if self._bridge.running or self._joining.uses_bar:
            return
        self._bar.show_notice(headline, sentence, can_play=self.choice >= 0)
        self._notice.start()

    def close(self) -> None:
        """Nothing is asked or started any more."""
        self._notice.stop()
        self._rescored.stop()
        self._bridge.close()

    def _wanted(self) -> PlayOptions:
        now = time.monotonic()
        self._skipped = {address: until for address, until in self._skipped.items() if until > now}
        return self._options(frozenset(self._skipped))

    def _start(self, options: PlayOptions) -> None:
        self._notice.stop()
        self._joining.cancel()
        self._bar.show_busy(_("Asking again…"), _("Nothing is launched before that."))
        self._looking_for = options
        self._bridge.start(options)

    def _take_offer(self) -> None:
        """The run in hand ends; one with the eased options follows, or the list shows what cannot be joined now."""
        if self._easing is None:
            return
        if self._easing.options is None:
            self.filter_wanted.emit(self._easing.shown)
        self._cancel()
        self._next = self._easing.options

    def _cancel(self) -> None:
        """Both: a run that gave way to a join may not have ended yet."""
        self._end_run()
        self._joining.cancel()

    def _end_run(self) -> None:
        self._next = None
        self._popover.hide()
        self._bridge.cancel()

    def _give_way(self, server: int) -> None:
        """A server is being joined, whoever chose it: a run in hand ends."""
        self._notice.stop()
        self._table.set_chosen(server)
        self._end_run()

    def _show_step(self, step: object) -> None:
        if self._joining.uses_bar:  # the last word of a run that gave way
            return
        match step:
            case Verifying(servers=servers):
                n = len(servers)
                words = ngettext("Asking {n} server again…", "Asking {n} servers again…", n).format(n=n)
                self._bar.show_busy(words, _("Nothing is launched before that."))
                self._popover.show_steps(self._corner(), [self._asking(each) for each in servers])
            case Checked(servers=servers):
                self._popover.show_steps(self._corner(), [self._checked(each, servers[0]) for each in servers])
            case NothingFits(attempt=attempt, rejected=rejected):
                self._bar.show_busy(_("No server fits right now"), _("Still looking, attempt {n}.").format(n=attempt))
                self._show_rejected({why: number for why, number in rejected.items() if number})
            case ChoosingAgain(attempt=attempt):
                again = _("Still looking: everybody is asked again, attempt {n}.").format(n=attempt)
                self._bar.show_busy(_("No server fits right now"), again)

    def _show_rejected(self, rejected: dict[str, int]) -> None:
        easing = self._easing = best_easing(self._live.catalogue, self._looking_for)
        offer = None
        if easing is not None:
            best = f"{self._name(easing.best)}, {self._numbers(easing.best)}"
            words = ngettext(
                "Nothing else stands in the way of {best}.",
                "Nothing else stands in the way of {n} servers; the best is {best}.",
                easing.servers,
            )
            offer = Offer(easing.headline, words.format(n=thousands(easing.servers), best=best), easing.words)
        self._popover.show_rejected(self._corner(), rejected, offer)

    def _asking(self, each: Candidate) -> Step:
        return Step("asking", self._name(each.server), score_text(each.score), _("asking again…"))

    def _checked(self, each: Verified, first: Verified) -> Step:
        before = score_text(each.score_before)
        after = "–" if each.score_now != each.score_now else score_text(each.score_now)
        if not each.eligible:
            return Step("out", self._name(each.server), f"{before} → {after}", _(each.why) if each.why else "")
        numbers = self._numbers(each.server)
        note = _("{numbers}: still the best").format(numbers=numbers) if each is first else numbers
        return Step("doubt" if each.why else "good", self._name(each.server), f"{before} → {after}", note)

    def _end(self, outcome: Outcome) -> None:
        self._popover.hide()
        if outcome.chosen is None:
            wanted, self._next = self._next, None
            if wanted is None:
                self.refresh()
            else:
                self._start(wanted)
            return
        asked = len(outcome.verified)
        server = outcome.chosen.server
        still = outcome.chosen is outcome.verified[0]
        best = _("Still the best of {n}: {numbers}.") if still else _("The best of {n} now: {numbers}.")
        numbers = self._numbers(server)
        self._joining.join(server, reason_text(outcome.reason, _), best.format(n=asked, numbers=numbers))

    def _name(self, server: int) -> str:
        return name_of(self._live.catalogue, server)

    def _numbers(self, server: int) -> str:
        return numbers_of(self._live.catalogue, server)

    def _corner(self) -> QPoint:
        left = self._bar.button.geometry().right() + 1
        return QPoint(left, self._bar.mapTo(self._bar.window(), QPoint(0, self._bar.height())).y())

    def idle(self) -> bool:
        """Nothing of Play Now is going on."""
        return not self._bridge.running and self._bar.button.state is not PlayState.BUSY


def _excluded(rejected: dict[str, int]) -> str:
    told = sorted(((number, why) for why, number in rejected.items() if number), reverse=True)
    parts = [f"{thousands(number)} {_(why)}" for number, why in told]
    more = len(parts) - 3
    others = [ngettext("{n} more reason", "{n} more reasons", more).format(n=more)]
    return ", ".join(chain(parts[:3], others if more > 0 else [])) + "."
