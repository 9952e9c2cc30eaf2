"""Which game My skill opens with: the chosen one, else the one with most rounds of the user's."""

from pathlib import Path

from pytestqt.qtbot import QtBot
from skill_record import a_panel, fill


def test_rounds_whose_game_nobody_told_do_not_come_first_unless_they_are_chosen(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path) as rig:
        fill(rig.store, 40)
        fill(rig.store, 3, game="")
        rig.panel.open()
        rig.settled()
        assert rig.panel.game == "ns2"
        assert [each.id for each in rig.panel.games] == ["ns2", ""]
        rig.panel.choose_game("")
        qtbot.waitUntil(lambda: rig.panel.game == "" and rig.panel.state is None)
        rig.panel.refresh()
    with a_panel(qtbot, tmp_path) as rig:
        rig.panel.open()
        qtbot.waitUntil(lambda: bool(rig.panel.games))
        assert rig.panel.game == ""
