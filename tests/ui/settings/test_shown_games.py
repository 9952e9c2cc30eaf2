"""The games chosen in the settings."""

from window_helpers import AppDriver

from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.storage.setting_declarations import PLAYED_GAMES
from browser_app.ui.lists.server_list_membership import ALL_LIST, FAVOURITES_LIST, GAME_LIST_PREFIX


def games_listed(app: AppDriver) -> set[str]:
    return {app.catalogue.game[server] for server in app.servers()}


def test_applies_to_list_refresh_and_play_now(app: AppDriver) -> None:
    program = app.program
    assert games_listed(app) == {"openarena", "quake3"}
    other = next(server for server in app.servers() if app.catalogue.game[server] == "quake3")
    program.storage.settings.set_in_memory(PLAYED_GAMES, ("openarena",))
    assert program.backend.shown_games.game_ids() == frozenset()  # sources of the command line decide
    assert len(program.backend.shown_games.targets_to_query(app.catalogue.targets)) == len(app.catalogue)

    program.backend.shown_games._uses_settings = lambda: True
    app.window.servers_view.toggle_favourite(other)
    app.window.servers_view.show_games(program.backend.shown_games.game_ids())
    assert games_listed(app) == {"openarena"}
    keys = [item.key for item in app.window.servers_view.server_lists.sidebar_items()]
    assert GAME_LIST_PREFIX + "openarena" in keys
    assert GAME_LIST_PREFIX + "quake3" not in keys
    app.window.servers_view.sidebar.select_list(FAVOURITES_LIST)
    assert app.servers() == [other]
    app.window.servers_view.sidebar.select_list(ALL_LIST)

    asked = {
        app.catalogue.row_of(target.address)
        for target in program.backend.shown_games.targets_to_query(app.catalogue.targets)
    }
    assert asked == {*app.servers(), other}
    wanted = program.backend.scoring.play_options().scope.matching_rows(app.catalogue)
    assert (wanted == parse_filter("game:openarena").matching_rows(app.catalogue)).all()


def test_opened_server_of_another_game_is_shown(app: AppDriver) -> None:
    other = next(server for server in app.servers() if app.catalogue.game[server] == "quake3")
    app.filter("players>=0")
    app.window.servers_view.show_games(frozenset({"openarena"}))
    app.window.show_server(other)
    assert app.table.selected_server() == other
    assert app.window.filter_field.text() == "players>=0"
    assert [server for server in app.servers() if app.catalogue.game[server] == "quake3"] == [other]


def test_unknown_games_hide_nothing(app: AppDriver) -> None:
    program = app.program
    program.backend.shown_games._uses_settings = lambda: True
    program.storage.settings.set_in_memory(PLAYED_GAMES, ("x)(",))
    assert program.backend.shown_games.game_ids() == frozenset()
    assert program.backend.scoring.play_options().scope.matching_rows(app.catalogue).all()
    program.storage.settings.set_in_memory(PLAYED_GAMES, ("x)(", "quake3"))
    assert program.backend.shown_games.game_ids() == {"quake3"}


def test_new_masters_wait_for_running_scan(app: AppDriver) -> None:
    done: list[str] = []
    app.live.refresh()
    app.live.call_when_idle(lambda: done.append("ended"))
    assert done == []
    app.wait(lambda: done)
    app.live.call_when_idle(lambda: done.append("at once"))
    assert done == ["ended", "at once"]
