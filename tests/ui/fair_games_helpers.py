"""Fakes for the page Fair games: a server list that is filled by hand."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal
from rounds_helpers import FakeRoundsModel

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.player.player_identities import Identity, IdentityKind
from browser_app.protocols.address import Address
from browser_app.ui.skill.skill_pages import SkillServices

GAMES = load_games(resource_folder() / "games")


class FakeServerList(QObject):
    """A server list without a network."""

    rescored = Signal()
    changed = Signal(object)
    running_changed = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.catalogue = Catalogue(GAMES)
        self.queried: list[int] = []
        self.is_running = False
        self.queries_on_request = False

    def query(self, server: int) -> None:
        self.queried.append(server)

    def add_server(
        self, number: int, name: str, players: Sequence[tuple[str, int | None]], *, listed: bool = True, slots: int = 24
    ) -> int:
        """Add a server with players, or update it, and return its id.

        Its player list is unknown if not `listed`.
        """
        address = Address("127.0.0.1", 27000 + number)
        rows = tuple(PlayerInfo(each, 0.0, 60.0, None, team, False) for each, team in players)
        facts = ServerInfo(
            "ns2", name, "ns2_veil", address, len(rows), 0, 0, slots, mode="ns2", player_list=rows if listed else None
        )
        target = QueryTarget(address, "a2s", "ns2")
        (server,) = self.catalogue.rows.add([target]).tolist()
        changes = self.catalogue.merge([QueryResult(target, QueryStatus.OK, facts, None, 30.0, False, 1, 100.0)])
        self.changed.emit(changes)
        return int(server)


class FakeUiState:
    """UI state in memory."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        return self.values.get(key)

    def set(self, key: str, value: Any) -> None:
        self.values[key] = value


def create_services(skill_model: FakeRoundsModel, server_list: FakeServerList) -> SkillServices:
    return SkillServices(
        skill_model=skill_model,
        server_list=server_list,  # type: ignore[arg-type]
        games=GAMES,
        ui_state=FakeUiState(),  # type: ignore[arg-type]
        identities=lambda: (Identity("ns2", IdentityKind.NAME, "me in game"),),
        friend_predicate=lambda: lambda _player, _name: False,
        source_states=lambda _game: (),
        open_identities=lambda _over, _game: None,
        open_sources=lambda _over, _game, _tab: None,
    )


def without_teams(*names: str) -> list[tuple[str, int | None]]:
    return [(name, None) for name in names]
