"""The demo from Play Now to the game and back, with no game installed."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QPoint, Qt
from timeouts import LIMIT_S
from window_helpers import GAMES, OpenApp

from browser_app.launch.installed_games import GameInstallation
from browser_app.launch.launch_plan import plan_launch
from browser_app.storage.setting_declarations import PLAY_NOW_COUNTDOWN_S

if TYPE_CHECKING:
    from subprocess import Popen

pytestmark = pytest.mark.slow


def test_play_now_in_demo(open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    app = open_app("--demo=20")
    app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 0.0)
    can_join = [GAMES[target.game or ""].launch.takes_address for target in app.catalogue.targets]
    assert app.catalogue.installed.tolist() == can_join
    app.bot.mouseClick(app.play_now_bar.button, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    join_controller = app.window.join_controller
    app.wait(join_controller.running_games)
    (running,) = join_controller.running_games()
    game, server = cast("Popen[bytes]", running.process), running.server
    info = app.catalogue.server_info(server)
    assert info is not None
    plan = plan_launch(GAMES[info.game or ""], info.connect, [GameInstallation("own", ("stand-in",))])
    assert plan.argv is not None
    arguments = plan.argv[1:]
    assert cast("tuple[str, ...]", game.args)[-len(arguments) :] == arguments
    assert app.live.is_paused
    game.terminate()
    app.wait(lambda: not join_controller.running_games())
    assert game.wait(LIMIT_S) != 0
    (visit,) = app.program.storage.visit_history.load_visits(app.catalogue.targets[server].address)
    assert visit.play_now_reason
    assert not app.live.is_paused
