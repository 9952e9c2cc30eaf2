"""The demo's stand-ins for Steam and XonStat, asked over HTTP by the program's own clients."""

from collections.abc import Iterator

import pytest

from browser_app.bridge.skill.web_fetch import WebFetch
from browser_app.demo.network import DemoNetwork
from browser_app.demo.options import DemoOptions
from browser_app.demo.players import ACCOUNTS, FINGERPRINT
from browser_app.demo.process import DemoProcess
from browser_app.demo.web_masters import STEAM_KEY
from browser_app.engine.stop import Stop
from browser_app.player.asking import Asked, Asking, SourceError
from browser_app.player.identities import STEAM_BASE
from browser_app.player.steam_user_stats import ask_skill as ask_steam
from browser_app.player.xonstat_skill import ask_skill as ask_xonstat


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with DemoNetwork(servers=1, living=False) as network:
        yield network.sources.skill_services


@pytest.fixture
def asking() -> Asking:
    notes: list[Asked] = []
    return Asking(WebFetch(Stop()), notes.append)


def test_steam_tells_each_account_its_own_skill(base: str, asking: Asking) -> None:
    first, second = (ask_steam(asking, str(STEAM_BASE + account), STEAM_KEY, base) for account in ACCOUNTS)
    assert first.points != second.points
    assert first.marine is not None
    assert first.alien is not None
    assert first.marine < first.points < first.alien
    assert first.adagrad_sum is not None


@pytest.mark.parametrize(
    ("account", "key", "why"),
    [
        (str(STEAM_BASE + ACCOUNTS[0]), "another", "key"),
        (str(STEAM_BASE + 1), STEAM_KEY, "does not own the game"),
    ],
)
def test_steam_refuses_as_steam_does(base: str, asking: Asking, account: str, key: str, why: str) -> None:
    with pytest.raises(SourceError, match=why):
        ask_steam(asking, account, key, base)


def test_xonstat_leads_to_the_players_skills(base: str, asking: Asking) -> None:
    assert set(ask_xonstat(asking, FINGERPRINT, base).modes) == {"ctf", "duel", "dm"}
    with pytest.raises(SourceError, match="does not know this key"):
        ask_xonstat(asking, FINGERPRINT[::-1], base)


def test_a_network_in_a_process_of_its_own_has_the_player_too(asking: Asking) -> None:
    with DemoProcess(DemoOptions(servers=1)) as process:
        player = process.player
        assert ask_steam(asking, player.identities[0].value, STEAM_KEY, player.services).points > 0
        assert {each.name.split()[1] for each in player.rounds(1_800_000_000.0)} == {"ns2", "xonotic"}
