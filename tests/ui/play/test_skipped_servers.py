"""Servers and games that Play Now leaves out for a while."""

from types import SimpleNamespace

import pytest

from browser_app.engine.catalogue_snapshot import PlayOptions
from browser_app.protocols.address import Address
from browser_app.ui.play import play_now_scope
from browser_app.ui.play.play_now_scope import SkippedServers

ONE, OTHER = Address("192.0.2.1", 1), Address("192.0.2.1", 2)


def test_each_returns_at_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now_s=0.0)
    monkeypatch.setattr(play_now_scope, "time", SimpleNamespace(monotonic=lambda: clock.now_s))
    skipped = SkippedServers()
    skipped.skip_server(ONE, 10.0)
    skipped.skip_server(OTHER, 20.0)
    skipped.skip_game("ns2", 20.0)
    seen = []
    for clock.now_s in (9.0, 10.0, 20.0):
        options = skipped.apply_to(PlayOptions())
        seen.append((set(options.skipped_addresses), set(options.skipped_games)))
    assert seen == [({ONE, OTHER}, {"ns2"}), ({OTHER}, {"ns2"}), (set(), set())]


def test_changed_programs_bring_games_back() -> None:
    skipped = SkippedServers()
    skipped.skip_server(ONE, 10.0)
    skipped.skip_game("ns2", 10.0)
    skipped.clear_games()
    options = skipped.apply_to(PlayOptions())
    assert options.skipped_addresses == frozenset({ONE})
    assert not options.skipped_games
