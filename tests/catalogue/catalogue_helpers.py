"""Servers and query results for the catalogue's tests."""

from collections.abc import Mapping
from dataclasses import replace

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.games.game_profile import GameProfile, RankingConstants
from browser_app.protocols.address import Address

NOW = 1_700_000_000.0

GAMES: Mapping[str, GameProfile] = {
    "ns2": GameProfile(
        "ns2", "Natural Selection 2", "NS2", "a2s", 27015,
        query_port_offset=1, modes={"ns2": "NS2", "siege": "Siege"}, reports_performance=True,
    ),
    "xonotic": GameProfile(
        "xonotic", "Xonotic", "XON", "darkplaces", 26000, modes={"ctf": "Capture the Flag", "duel": "Duel"},
        ranking=RankingConstants(viability_midpoint=6.0),
        mode_ranking={"duel": RankingConstants(viability_midpoint=2.0, viability_steepness=3.0)},
    ),
}  # fmt: skip


def target(number: int, game: str = "ns2") -> QueryTarget:
    return QueryTarget(Address(f"10.0.{number // 250}.{number % 250}", 27016), GAMES[game].protocol, game)


def server_info(number: int, **changes: object) -> ServerInfo:
    plain = ServerInfo(
        game="ns2",
        name=f"Server {number}",
        map="ns2_veil",
        connect=Address(f"10.0.{number // 250}.{number % 250}", 27015),
        players=12,
        bots=0,
        spectators=None,
        max_players=24,
        mode="ns2",
        mode_name="NS2",
        version="344",
        password=False,
        performance=50.0,
        quality=90.0,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def reply(
    number: int, ping_ms: float | None = 50.0, *, estimated: bool = False, at: float = NOW, **changes: object
) -> QueryResult:
    info = server_info(number, **changes)
    return QueryResult(target(number), QueryStatus.OK, info, None, ping_ms, estimated, 1, at)


def failed_query(number: int, status: QueryStatus = QueryStatus.NO_ANSWER) -> QueryResult:
    return QueryResult(target(number), status, None, "no answer in 3 attempts", None, False, 3, NOW)


def scored_catalogue(*servers: Mapping[str, object]) -> Catalogue:
    """Return a scored catalogue with one server per mapping of special values."""
    catalogue = Catalogue(GAMES)
    catalogue.merge([reply(number, **changes) for number, changes in enumerate(servers)])  # type: ignore[arg-type]
    catalogue.rescore()
    return catalogue
