"""Who the user is: kept, shown in a dialog, and proposed from what is found on this machine and in the record."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from browser_app.bridge.background import Background
from browser_app.bridge.skill.sources import SkillSources
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.identities import Identity, IdentityKind, identities_of, identity_of, player_ids
from browser_app.player.xonotic_key import FoundFingerprint, find_fingerprints, xonotic_folders
from browser_app.storage.identities import Identities, KeptIdentity
from browser_app.storage.kept import Kept
from browser_app.ui.exchange_words import short_path
from browser_app.ui.skill.offers import Offer
from browser_app.ui.skill.who_dialog import WhoDialog
from browser_app.ui.texts import thousands
from browser_app.ui.theme import Theme

MOST_SEEN = 4
"""So many players of a record are offered."""

Seen = Sequence[tuple[str, str, int]]
"""Id, name and rounds of a record's players, those with most rounds first."""
AskSeen = Callable[[str, Callable[[Seen], object]], object]
"""Calls back with the players of a game's record."""


class IdentityControl(QObject):
    """Changes who the user is.

    Signals:
        changed: the user is somebody else, or somebody more.
    """

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        store: Identities,
        sources: SkillSources,
        background: Background,
        games: Mapping[str, str],
        kept: Kept,
        ask_seen: AskSeen | None = None,
    ) -> None:
        """`games`: names by id; `ask_seen`: how to learn who is in a record."""
        super().__init__()
        self._theme, self._store, self._sources, self._background = theme, store, sources, background
        self._games, self._kept, self._ask_seen = games, kept, ask_seen
        self.dialog: WhoDialog | None = None
        self._found: Sequence[FoundFingerprint] = ()
        self._seen: dict[str, Seen] = {}
        self.folders: Callable[[], Sequence[Path]] = lambda: tuple(
            xonotic_folders(sys.platform, Path.home(), os.environ)
        )
        """Where keys are looked for."""

    def identities(self) -> tuple[Identity, ...]:
        """Who the user is, in all games."""
        return identities_of(self._store)

    def open(self, parent: QWidget, game: str) -> None:
        """Show the dialog over a widget, with a game chosen."""
        if self.dialog is None:
            dialog = WhoDialog(self._theme, parent.window(), self._kept, self._games, game)
            dialog.add_wanted.connect(self.add)
            dialog.remove_wanted.connect(self.remove)
            dialog.field.look_up_wanted.connect(self._look_up)
            dialog.field.game_chosen.connect(self._look)
            dialog.finished.connect(self._closed)
            self.dialog = dialog
            self._show()
            self._background.run(lambda: find_fingerprints(self.folders()), self._take_found)
            self._look(dialog.field.chosen_game())
        self.dialog.open()

    def add(self, identity: Identity) -> None:
        """The user is this one, too."""
        self._store.add(KeptIdentity(identity.game, identity.kind, identity.value))
        self._tell()

    def remove(self, identity: Identity) -> None:
        """The user is not this one."""
        self._store.remove(KeptIdentity(identity.game, identity.kind, identity.value))
        self._tell()

    def _tell(self) -> None:
        self._show()
        self._sources.identities_changed()
        self.changed.emit()

    def _closed(self) -> None:
        self.dialog = None

    def _show(self) -> None:
        if self.dialog is not None:
            self.dialog.show_identities(self.identities())
            self.dialog.show_offers(self._offers(self.dialog.field.chosen_game()))

    def _offers(self, game: str) -> list[Offer]:
        """Keys of this machine, and the players who are most often in the record."""
        keys = [
            Offer(
                Identity("xonotic", IdentityKind.XONOTIC, found.fingerprint),
                _("Xonotic key {beginning}…").format(beginning=found.fingerprint[:8]),
                short_path(found.path),
            )
            for found in self._found
        ]
        seen = self._seen.get(game, ())
        own = [each for each in self.identities() if each.game == game]
        if player_ids(own, [each[0] for each in seen], [each[1] for each in seen]):
            return keys  # the others in the record are the others
        where = self._games.get(game, game)
        return keys + [
            Offer(identity_of(game, player, name), name, _seen_words(rounds, where))
            for player, name, rounds in seen[:MOST_SEEN]
        ]

    def _look(self, game: str) -> None:
        if self._ask_seen is not None and game not in self._seen:
            self._ask_seen(game, partial(self._take_seen, game))
        self._show()

    def _take_found(self, found: Sequence[FoundFingerprint]) -> None:
        self._found = found
        self._show()

    def _take_seen(self, game: str, seen: Seen) -> None:
        self._seen[game] = seen
        self._show()

    def _look_up(self, name: str) -> None:
        def account(value: str) -> None:
            if self.dialog is not None:
                self.dialog.field.show_account(name, value)

        def problem(why: str) -> None:
            if self.dialog is not None:
                self.dialog.field.show_problem(name, why)

        self._sources.find_account(name, account, problem)


def _seen_words(rounds: int, game: str) -> str:
    words = ngettext("in {n} round of {game}", "in {n} rounds of {game}", rounds)
    return words.format(n=thousands(rounds), game=game)
