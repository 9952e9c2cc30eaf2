"""Rules are requested where a game's skill is not in the info reply."""

from dataclasses import replace

import pytest
from a2s_samples import a2s_info
from fake_game_servers import UNLIMITED, FakeServerThread, after, patient_timing, scan_all
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.query.scanner import Scanner
from browser_app.games import GameRegistry
from browser_app.protocols.a2s.a2s_server import encode_challenge, encode_info, encode_rules, parse_a2s_request
from browser_app.protocols.query_session import QueryParts

TOKEN = b"\x05\x06\x07\x08"
NS2 = a2s_info(map="ns2_veil", folder="naturalselection2", appid=4920, bots=0, keywords="344|ns2||149|34|50|80|shine")


@pytest.mark.slow
@pytest.mark.parametrize(("rules_answered", "skill"), [(True, 1777.25), (False, None)])
def test_rules_for_unknown_game(games: GameRegistry, rules_answered: bool, skill: float | None) -> None:
    def behave(_nth: int, data: bytes) -> list[tuple[float, bytes]]:
        request = parse_a2s_request(data)
        if request.requested_part is QueryParts.INFO:
            return [(0.0, encode_info(NS2))]
        if request.challenge != TOKEN:
            return [(0.0, encode_challenge(TOKEN))]
        return [(0.0, encode_rules({b"AverageSkill": b"1777.25"}))] if rules_answered else []

    with FakeServerThread() as fake_servers, Scanner(games) as scanner:
        server = fake_servers.add(behave)
        _, results = scan_all(scanner, [server], timing=patient_timing(leg_wait_s=0.2 if skill is None else LIMIT_S))
    info = results[server.address].info
    assert info is not None
    assert (info.game, info.server_skill) == ("ns2", skill)
    assert results[server.address].attempts == 1


@pytest.mark.parametrize(
    ("changes", "skill"),
    [
        ({"keywords": "344|ns2||149|34|50|80|P_S1650|shine"}, 1650),
        ({"players": 0}, None),
        ({"players": 4, "bots": 4}, None),
    ],
    ids=["skill in tags", "empty", "bots only"],
)
def test_needless_rules_are_skipped(games: GameRegistry, changes: dict[str, object], skill: float | None) -> None:
    with FakeServerThread() as fake_servers, Scanner(games) as scanner:
        server = fake_servers.add(after(0.0, encode_info(replace(NS2, **changes))))  # type: ignore[arg-type] # its own fields
        scan = scanner.scan([QueryTarget(server.address, "a2s", "ns2")], pace=UNLIMITED, timing=patient_timing())
        scan.seal()
        assert scan.wait(LIMIT_S)
    info = scan.results.popleft().info
    assert info is not None
    assert (info.game, info.server_skill) == ("ns2", skill)
    assert len(server.requests) == scan.progress.sent == 1


def test_other_games_get_one_request(games: GameRegistry) -> None:
    other = encode_info(replace(NS2, appid=440, keywords="payload"))
    with FakeServerThread() as fake_servers, Scanner(games) as scanner:
        server = fake_servers.add(lambda _nth, _data: [(0.0, other)])
        scan_all(scanner, [server])
    assert len(server.requests) == 1
