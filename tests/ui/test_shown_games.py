"""The games chosen in the settings."""

from window_rig import Room

from browser_app.catalogue.server_filter import parse_filter
from browser_app.storage.setting_declarations import SHOWN_GAMES
from browser_app.ui.lists.server_list_membership import ALL_LIST, FAVOURITES_LIST, GAME_LIST_PREFIX


def games_listed(room: Room) -> set[str]:
    return {room.catalogue.game[server] for server in room.servers()}


def test_applies_to_list_refresh_and_play_now(room: Room) -> None:
    program = room.program
    assert games_listed(room) == {"openarena", "quake3"}
    other = next(server for server in room.servers() if room.catalogue.game[server] == "quake3")
    program.session.settings.set_in_memory(SHOWN_GAMES, ("openarena",))
    assert program.backend.shown_games.game_ids() == frozenset()  # sources of the command line decide
    assert len(program.backend.shown_games.targets_to_query(room.catalogue.targets)) == len(room.catalogue)

    program.backend.shown_games._uses_settings = lambda: True
    room.window.servers_view.toggle_favourite(other)
    room.window.servers_view.show_games(program.backend.shown_games.game_ids())
    assert games_listed(room) == {"openarena"}
    keys = [item.key for item in room.window.servers_view.server_lists.sidebar_items()]
    assert GAME_LIST_PREFIX + "openarena" in keys
    assert GAME_LIST_PREFIX + "quake3" not in keys
    room.window.servers_view.sidebar.select_list(FAVOURITES_LIST)
    assert room.servers() == [other]
    room.window.servers_view.sidebar.select_list(ALL_LIST)

    asked = {
        room.catalogue.row_of(target.address)
        for target in program.backend.shown_games.targets_to_query(room.catalogue.targets)
    }
    assert asked == {*room.servers(), other}
    wanted = program.backend.scoring.play_options(frozenset()).server_filter.matching_rows(room.catalogue)
    assert (wanted == parse_filter("game:openarena").matching_rows(room.catalogue)).all()


def test_opened_server_of_another_game_is_shown(room: Room) -> None:
    other = next(server for server in room.servers() if room.catalogue.game[server] == "quake3")
    room.filter("players>=0")
    room.window.servers_view.show_games(frozenset({"openarena"}))
    room.window.show_server(other)
    assert room.table.selected_server() == other
    assert room.window.filter_field.text() == "players>=0"
    assert [server for server in room.servers() if room.catalogue.game[server] == "quake3"] == [other]


def test_unknown_games_hide_nothing(room: Room) -> None:
    program = room.program
    program.backend.shown_games._uses_settings = lambda: True
    program.session.settings.set_in_memory(SHOWN_GAMES, ("x)(",))
    assert program.backend.shown_games.game_ids() == frozenset()
    assert program.backend.scoring.play_options(frozenset()).server_filter.matching_rows(room.catalogue).all()
    program.session.settings.set_in_memory(SHOWN_GAMES, ("x)(", "quake3"))
    assert program.backend.shown_games.game_ids() == {"quake3"}


def test_new_masters_wait_for_running_scan(room: Room) -> None:
    done: list[str] = []
    room.live.refresh()
    room.live.call_when_idle(lambda: done.append("ended"))
    assert done == []
    room.wait(lambda: done)
    room.live.call_when_idle(lambda: done.append("at once"))
    assert done == ["ended", "at once"]
