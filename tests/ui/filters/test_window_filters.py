"""Filter chips, filter field and saved filters in the window."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from window_helpers import AppDriver, OpenApp

from browser_app.catalogue.places.languages import language_name
from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.ui.filters.filter_chip_bar import FilterChip
from browser_app.ui.filters.filter_chip_controller import VALUE_CHIPS, value_choices
from browser_app.ui.filters.filter_controller import FIELD_FILTER_KEY
from browser_app.ui.lists.server_list_membership import ALL_LIST, FAVOURITES_LIST, FRIENDS_LIST
from browser_app.ui.widgets.dialogs import NameDialog


def chip(app: AppDriver, key: str) -> FilterChip:
    return app.window.servers_view.chip_bar.chip(key)


def click(app: AppDriver, key: str) -> None:
    app.bot.mouseClick(chip(app, key), Qt.MouseButton.LeftButton)


def passing(app: AppDriver, test: Callable[[int], object]) -> list[int]:
    return [server for server in range(len(app.catalogue)) if test(server)]


def test_chip_counts(app: AppDriver) -> None:
    c = app.catalogue
    app.catalogue.players[app.servers()[:5]] = 0.0
    app.live.rescore()
    occupied = passing(app, lambda server: c.players[server] >= 1)
    app.wait(lambda: chip(app, "players").state.count_text == str(len(occupied)))
    assert app.window.servers_view.chip_bar._text.text() == "No filters active"
    click(app, "players")
    assert sorted(app.servers()) == occupied
    assert chip(app, "players").state.count_text == f"hides {24 - len(occupied)}"
    assert chip(app, "players").isChecked()
    assert app.window.servers_view.chip_bar._text.text() == f"{len(occupied)} of 24 shown"
    click(app, "players")
    assert len(app.servers()) == 24


def test_chip_counts_what_it_alone_hides(app: AppDriver) -> None:
    c = app.catalogue
    c.players[app.servers()[:6]] = 0.0
    c.password[app.servers()[4:9]] = 1.0
    app.live.rescore()
    click(app, "players")
    click(app, "locked")
    empty = passing(app, lambda s: c.players[s] == 0 and c.password[s] != 1)
    assert chip(app, "players").state.count_text == f"hides {len(empty)}"
    before = set(app.servers())
    click(app, "players")
    assert set(app.servers()) - before == set(empty)
    app.bot.mouseClick(app.window.servers_view.chip_bar.clear_button, Qt.MouseButton.LeftButton)
    assert len(app.servers()) == 24


def test_ping_menu(app: AppDriver) -> None:
    app.catalogue.ping_ms[app.servers()] = 20.0
    app.catalogue.ping_ms[app.servers()[:4]] = 90.0
    app.live.rescore()
    click(app, "ping")
    menu = app.menu()
    words = [action.text().partition("\t") for action in menu.actions()]
    assert [word for word, _tab, _number in words] == ["≤ 50 ms", "≤ 80 ms", "≤ 100 ms", "≤ 150 ms", "≤ 200 ms", "Off"]
    assert [number for _word, _tab, number in words] == ["20", "20", "24", "24", "24", "24"]
    menu.actions()[0].trigger()
    menu.close()
    assert chip(app, "ping").state.title == "Ping ≤ 50"
    assert len(app.servers()) == 20
    click(app, "ping")
    menu = app.menu()
    menu.actions()[-1].trigger()
    menu.close()
    assert len(app.servers()) == 24


def test_menu_stays_open_for_several_games(app: AppDriver) -> None:
    games = {app.catalogue.game[server] for server in app.servers()}
    assert games == {"openarena", "quake3"}
    click(app, "game")
    menu = app.menu()
    app.bot.keyClick(menu, Qt.Key.Key_Down)
    app.bot.keyClick(menu, Qt.Key.Key_Space)
    first = set(app.servers())
    assert menu.isVisible()
    assert len({app.catalogue.game[server] for server in first}) == 1
    box = menu.actionGeometry(menu.actions()[1])
    app.bot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=box.center())
    assert menu.isVisible()
    assert len(app.servers()) == 24
    menu.close()
    assert "OpenArena" in chip(app, "game").state.title
    assert len(games) == 2


def test_field_and_chips_combine(app: AppDriver) -> None:
    app.filter("players>=200")
    click(app, "full")
    page = app.window.servers_view.empty_page
    assert page.isVisible()
    assert page.shown_texts()[0] == "No server matches both filters"
    app.wait(lambda: len([each for each in page.findChildren(FilterChip) if each.isVisible()]) == 2)
    offs = {each.state.key: each for each in page.findChildren(FilterChip) if each.isVisible()}
    assert set(offs) == {"full", "text"}
    app.bot.mouseClick(offs["text"], Qt.MouseButton.LeftButton)
    assert app.window.filter_field.text() == ""
    assert app.servers()
    assert page.isHidden()


def test_filters_are_saved_per_list(open_app: OpenApp) -> None:
    app = open_app()
    app.filter("players>=1")
    click(app, "locked")
    hidden = len(app.servers())
    app.window.servers_view.sidebar.select_list(FAVOURITES_LIST)
    assert app.window.filter_field.text() == ""
    assert not chip(app, "locked").isChecked()
    app.window.servers_view.sidebar.select_list(ALL_LIST)
    assert app.window.filter_field.text() == "players>=1"
    assert len(app.servers()) == hidden
    app.end()
    again = open_app()
    assert again.window.filter_field.text() == "players>=1"
    assert chip(again, "locked").isChecked()
    assert (again.catalogue.players[again.servers()] >= 1).all()


def test_filter_typed_before_the_end_is_saved(open_app: OpenApp) -> None:
    app = open_app()
    app.window.filter_field.set_text("players>=3")
    app.end()
    assert open_app().window.filter_field.text() == "players>=3"


def test_favourites_list_ignores_filters(app: AppDriver) -> None:
    view = app.window.servers_view
    first, second = app.servers()[:2]
    app.catalogue.password[[first, second]] = 1.0, 0.0
    for server in (first, second):
        view.toggle_favourite(server)
    view.sidebar.select_list(FAVOURITES_LIST)
    click(app, "locked")
    assert app.servers() == [second, first]
    assert chip(app, "locked").isChecked()
    assert chip(app, "locked").state.count_text == "hides 0"
    assert view.chip_bar._text.text() == "2 of 2 shown"


def test_enter_moves_to_filtered_list(app: AppDriver) -> None:
    app.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    app.write("players>=200")
    app.press(Qt.Key.Key_Return)
    assert not app.servers()
    assert app.table.hasFocus()


def name_dialog(app: AppDriver) -> NameDialog:
    app.wait(lambda: app.window.findChildren(NameDialog))
    return app.window.findChildren(NameDialog)[-1]


def test_save_rename_and_delete_filter(open_app: OpenApp) -> None:
    app = open_app()
    view = app.window.servers_view
    app.filter("game:openarena | players>=6")
    click(app, "locked")
    shown = set(app.servers())
    app.bot.mouseClick(view.chip_bar.save_button, Qt.MouseButton.LeftButton)
    dialog = name_dialog(app)
    assert not dialog.confirm_button.isEnabled()
    assert dialog.field.accessibleName() == "Name"
    QTest.keyClicks(dialog.field, "Near")
    app.bot.keyClick(dialog.field, Qt.Key.Key_Return)
    view.filter_controller.clear_filters()
    items = {item.title: item for item in view.sidebar.items()}
    assert items["Near"].server_count == len(shown)
    view.sidebar.select_list("saved:Near")
    assert set(app.servers()) == shown
    view.saved_filter_controller.ask_to_rename("Near")
    dialog = name_dialog(app)
    dialog.field.clear()
    QTest.keyClicks(dialog.field, "Nearer")
    app.bot.mouseClick(dialog.confirm_button, Qt.MouseButton.LeftButton)
    assert view.sidebar.current_key == "saved:Nearer"
    app.end()
    again = open_app()
    side = again.window.servers_view.sidebar
    assert "Nearer" in [item.title for item in side.items()]
    click(again, "saved:Nearer")
    assert set(again.servers()) <= shown | set(np.arange(24).tolist())
    assert chip(again, "saved:Nearer").isChecked()
    again.window.servers_view.saved_filter_controller.delete_filter("Nearer")
    assert "Nearer" not in [item.title for item in side.items()]
    assert len(again.servers()) == 24


def test_expression_of_others_is_no_markup(app: AppDriver) -> None:
    """A saved filter may come from a file of another player."""
    app.program.storage.saved_filters.save("Club", '"<img src=//x/y.png>"')
    app.wait(lambda: "&lt;img" in chip(app, "saved:Club").toolTip())
    assert "<img" not in chip(app, "saved:Club").toolTip()


def test_too_long_filter_is_not_saved(app: AppDriver) -> None:
    QApplication.clipboard().setText("a|c|" + "b" * 5_995)
    with app.bot.waitSignal(app.window.filter_field.filter_edited):
        app.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        app.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    app.window.servers_view.saved_filter_controller.ask_to_save()
    dialog = name_dialog(app)
    QTest.keyClicks(dialog.field, "Long")
    assert not dialog.confirm_button.isEnabled()
    assert dialog.message_label.text() == "This filter cannot be saved: longer than 6000 characters."


def test_saved_filter_keeps_its_list(app: AppDriver) -> None:
    view, saved = app.window.servers_view, app.program.storage.saved_filters
    saved.save("Mine", "game:openarena | ping<5")
    for shown_list, name, expression in (
        ("game:openarena", "Arena", "game:openarena players>=1"),
        (FRIENDS_LIST, "Met", "friend:yes players>=1"),
        ("saved:Mine", "Mixed", "(game:openarena | ping<5) players>=1"),
    ):
        view.sidebar.select_list(shown_list)
        app.filter("players>=1")
        shown = set(app.servers())
        view.saved_filter_controller.ask_to_save()
        dialog = name_dialog(app)
        QTest.keyClicks(dialog.field, name)
        app.bot.mouseClick(dialog.confirm_button, Qt.MouseButton.LeftButton)
        assert saved[name] == expression
        view.sidebar.select_list(f"saved:{name}")
        assert set(app.servers()) == shown


def test_saving_again_updates_active_filter(app: AppDriver) -> None:
    view, saved = app.window.servers_view, app.program.storage.saved_filters
    saved.save("near by", "players>=200")
    app.wait(lambda: chip(app, "saved:near by").state.title == "near by")
    click(app, "saved:near by")
    assert not app.servers()
    view.sidebar.select_list(FAVOURITES_LIST)
    app.filter("players>=0")
    view.saved_filter_controller.ask_to_save()
    dialog = name_dialog(app)
    dialog.field.setText("Near  By")
    app.bot.mouseClick(dialog.confirm_button, Qt.MouseButton.LeftButton)
    assert dict(saved) == {"near by": "players>=0"}
    view.sidebar.select_list(ALL_LIST)
    assert chip(app, "saved:near by").isChecked()
    assert len(app.servers()) == 24


def test_invalid_saved_filter_is_ignored(app: AppDriver) -> None:
    app.program.storage.saved_filters.save("newer", "nowhere:1")
    app.wait(lambda: chip(app, "saved:newer").state.title == "newer")
    click(app, "saved:newer")
    assert not chip(app, "saved:newer").isChecked()
    assert len(app.servers()) == 24
    app.filter("players>=200")
    assert not app.servers()


def test_host_limit_alone_cannot_be_saved(app: AppDriver) -> None:
    bar, filters = app.window.servers_view.chip_bar, app.window.servers_view.filter_controller
    filters.toggle_filter("fold", "5")
    assert bar.clear_button.isVisible()
    assert not bar.save_button.isVisible()
    filters.set_filter("text", "players>=0")
    assert bar.save_button.isVisible()


def test_name_with_other_spaces_is_taken(app: AppDriver) -> None:
    saved = app.program.storage.saved_filters
    saved.save("near by", "ping<50")
    saved.save("far", "ping>50")
    app.window.servers_view.saved_filter_controller.ask_to_rename("far")
    dialog = name_dialog(app)
    dialog.field.setText("Near   by")
    assert not dialog.confirm_button.isEnabled()
    assert dialog.message_label.text()
    dialog.field.setText(" FAR ")
    assert not dialog.message_label.text()
    assert dialog.confirm_button.isEnabled()


def test_deleted_list_clears_field(app: AppDriver) -> None:
    view, saved = app.window.servers_view, app.program.storage.saved_filters
    saved.save("near", "players>=0")
    view.sidebar.select_list("saved:near")
    app.filter("players>=200")
    view.saved_filter_controller.delete_filter("near")
    assert view.sidebar.current_key == ALL_LIST
    assert len(app.servers()) == 24
    saved.save("near", "players>=0")
    view.sidebar.select_list("saved:near")
    assert app.window.filter_field.text() == ""
    assert len(app.servers()) == 24


def test_tag_is_added_once(app: AppDriver) -> None:
    filters, field = app.window.servers_view.filter_controller, app.window.filter_field
    for before, after in (
        ('-tag:"ctf"', '-tag:"ctf" tag:"ctf"'),
        ('tag:"ctf" | players>=6', '(tag:"ctf" | players>=6) tag:"ctf"'),
        ('players>=6 tag:"ctf"', 'players>=6 tag:"ctf"'),
        ('tag:"ctf"', 'tag:"ctf"'),
        ("", 'tag:"ctf"'),
    ):
        filters.clear_filters()
        filters.set_filter("text", before)
        filters.add_term('tag:"ctf"')
        assert field.text() == after


def test_chips_without_space_are_in_more(open_app: OpenApp) -> None:
    app = open_app(size=(700, 560))
    for key in ("full", "players"):
        click(app, key)
    hidden = [state.key for state in app.window.servers_view.chip_bar.hidden_chips()]
    assert hidden[-1] == "region"
    assert not {"full", "players"} & set(hidden)
    app.bot.mouseClick(app.window.servers_view.chip_bar._more, Qt.MouseButton.LeftButton)
    menu = app.menu()
    country = next(action for action in menu.actions() if action.text() == "Country")
    assert isinstance(country.menu(), QMenu)
    menu.close()
    QApplication.processEvents()


def test_completion(app: AppDriver) -> None:
    field = app.window.filter_field
    assert field.completion is not None
    app.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    app.write("ga")
    assert field.completion.suggestions == ["gain", "game"]
    app.press(Qt.Key.Key_Down)
    app.press(Qt.Key.Key_Down)
    app.press(Qt.Key.Key_Return)
    assert field.text() == "game:"
    app.write("o")
    assert field.completion.suggestions == ["openarena"]
    with app.bot.waitSignal(field.filter_edited):
        app.press(Qt.Key.Key_Tab)
    assert field.text() == "game:openarena"
    assert {app.catalogue.game[server] for server in app.servers()} == {"openarena"}
    app.write(" -lo")
    assert field.completion.suggestions == ["locked"]
    app.press(Qt.Key.Key_Escape)
    assert field.completion.suggestions == []
    assert field.text() == "game:openarena -lo"
    field.set_text("")
    app.write("o")
    assert "game:openarena" not in field.completion.suggestions
    app.write("penar")
    assert field.completion.suggestions == ["game:openarena"]  # words alone search no games
    app.press(Qt.Key.Key_Tab)
    assert field.text() == "game:openarena"


def test_completion_shows_meaning_and_counts(app: AppDriver) -> None:
    completion = app.window.filter_field.completion
    assert completion is not None
    app.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    app.write("pi")
    assert [(each.title, each.meaning) for each in completion.list_model.items] == [("ping", "ping in ms")]
    app.press(Qt.Key.Key_Tab)
    app.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    app.write("game:")
    items = completion.list_model.items
    shown = {each.title: (each.meaning, each.server_count) for each in items}
    games = [app.catalogue.game[server] for server in app.servers()]
    assert shown["openarena"] == ("OpenArena", games.count("openarena"))
    counts = [each.server_count or 0 for each in items]
    assert counts == sorted(counts, reverse=True)


def test_wrong_word_leaves_the_rest_in_force(app: AppDriver) -> None:
    field = app.window.filter_field
    app.filter("players>=1 png<0")
    assert app.servers()
    assert all(app.catalogue.players[server] >= 1 for server in app.servers())
    assert field.text() == "players>=1 png<0"
    assert field.error is not None
    assert field.error[:2] == (11, 14)
    assert "ping" in field.error[2]


@pytest.mark.parametrize(
    ("texts", "in_force"),
    [
        (("players>=1", "players>="), "players>=1"),
        (("players>=1", "ping<"), "players>=1"),
        (("players>=1 png", "players>=1 png<80"), "players>=1"),
        ((" players>=1 png", " players>=1 png<80", " players>=1 png<80 map:q"), "players>=1"),
        (("full", "full:"), "full"),
        (("png", "png<80"), ""),
        (("a | png", "a | png<80"), "a | png"),
    ],
)
def test_last_valid_filter_stays_in_force(app: AppDriver, texts: tuple[str, ...], in_force: str) -> None:
    for text in texts:
        app.filter(text)
    assert app.window.filter_field.error is not None
    assert app.window.servers_view.filter_controller.expressions.get(FIELD_FILTER_KEY, "") == in_force


def test_too_long_filter_changes_nothing(app: AppDriver) -> None:
    controller = app.window.servers_view.filter_controller
    for text, in_force in (("players>=1", {FIELD_FILTER_KEY: "players>=1"}), ("", {})):
        controller._on_field_edited(text)
        controller._on_field_edited("a|c|" + "b" * 6_000)
        assert app.window.filter_field.error is not None
        assert controller.expressions == in_force


def test_unresponsive_server_has_no_known_players(app: AppDriver) -> None:
    silent = next(server for server in app.servers() if app.catalogue.players[server] >= 1)
    target = app.catalogue.targets[silent]
    app.catalogue.merge([QueryResult(target, QueryStatus.NO_ANSWER, None, None, None, False, 3, 0.0)])
    app.live.rescore()
    app.wait(lambda: chip(app, "silent").state.key == "silent")
    click(app, "players")
    assert silent not in app.servers()
    click(app, "players")
    assert silent in app.servers()
    click(app, "silent")
    assert silent not in app.servers()


def test_type_ahead_blocks_shortcuts(app: AppDriver) -> None:
    names = app.names()
    wanted = next(name for name in names[3:] if names.count(name) == 1)
    app.table.setFocus()
    app.write(wanted[:6])
    assert app.names()[app.table.currentIndex().row()].casefold().startswith(wanted[:6].casefold())
    assert not app.play_now_bar.is_counting_down
    assert not app.catalogue.favourite.any()


def test_error_is_shown_while_typing(app: AppDriver) -> None:
    field = app.window.filter_field
    app.filter("players>=many")
    assert field.error_note.isVisible()
    assert "needs a number" in field.error_note.error_label.text()
    top = field.mapTo(app.window, field.rect().bottomLeft())
    assert field.error_note.geometry().left() == top.x()
    assert field.error_note.y() > top.y()
    assert field.error_note.height() >= field.error_note.error_label.heightForWidth(
        field.error_note.error_label.width()
    )
    app.table.setFocus()
    app.wait(lambda: not field.error_note.isVisible())
    app.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    app.wait(field.error_note.isVisible)
    app.write("players>=1")
    assert not field.error_note.isVisible()
    app.wait(lambda: field.error is None)
    assert not field.error_note.isVisible()


def test_error_underline_follows_scrolling(app: AppDriver) -> None:
    field = app.window.filter_field
    text = "players>=1 " * 6 + "ping<fast " + "map:veil " * 6
    app.filter(text)
    app.wait(lambda: field.error is not None)
    assert field.error is not None
    start, end, _reason = field.error
    edit = field.findChild(QLineEdit)
    assert edit is not None
    warning = app.program.theme.palette.color("warning")

    def underlined() -> set[int]:
        """Return the characters under which a line is drawn."""
        image = edit.grab().toImage()
        ratio, line = image.devicePixelRatio(), edit.height() - 3
        inside = [x for x in range(edit.width()) if image.pixelColor(round(x * ratio), round(line * ratio)) == warning]
        return {edit.cursorPositionAt(QPoint(x, edit.height() // 2)) for x in inside}

    assert underlined() == set()  # the cursor is at the end, far behind the error
    edit.setCursorPosition(0)
    assert underlined() == set()
    edit.setCursorPosition(end)
    assert set(range(start + 1, end)) <= underlined() <= set(range(start, end + 1))


def test_language_chip_appears_with_a_language(app: AppDriver) -> None:
    bar = app.window.servers_view.chip_bar
    everything = np.ones(len(app.catalogue), np.bool_)
    assert "lang" not in {state.key for state in bar._states}
    app.catalogue.language.set(np.arange(3), ["en,ru", "ru", "de"])
    app.window.servers_view.chip_controller.refresh()
    assert {"country", "region", "lang"} <= {state.key for state in bar._states}
    choices = value_choices(VALUE_CHIPS["lang"], app.catalogue, everything, "lang:de", language_name)
    assert [(each.value, each.label, each.server_count) for each in choices] == [
        ("de", "Deutsch", 1), ("ru", "Русский", 2), ("en", "English", 1),
    ]  # fmt: skip
