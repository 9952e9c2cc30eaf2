"""A game that keeps running."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from join_helpers import LongRunningGame, game_on_path


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LongRunningGame]:
    """Return an OpenArena on the path."""
    with game_on_path(tmp_path / "bin", monkeypatch) as game:
        yield game
