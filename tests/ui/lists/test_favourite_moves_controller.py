"""The question whether a favourite has moved."""

import time
from dataclasses import replace

import pytest
from window_helpers import AppDriver, buttons_by_text

from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.storage.user_lists.server_list_store import Favourite

KEY = "d0:" + "B" * 44


def claim(app: AppDriver, server: int, key: str | None) -> QueryResult:
    """Return an answer of a server with a stable key."""
    info = app.catalogue.server_info(server)
    assert info is not None
    info = replace(info, stable_key=key)
    return QueryResult(app.catalogue.targets[server], QueryStatus.OK, info, None, 20.0, False, 1, time.time())


def silence(app: AppDriver, server: int) -> QueryResult:
    """Return the failed query of a server that has not answered for a day."""
    app.catalogue.last_answer[server] = time.time() - 86_400
    return QueryResult(app.catalogue.targets[server], QueryStatus.NO_ANSWER, None, "", None, False, 3, time.time())


@pytest.mark.parametrize("button", ["Use new address", "Keep old address", "Not now"])
def test_user_decides_where_favourite_is(app: AppDriver, button: str) -> None:
    home, fake = app.servers()[:2]
    old, new = app.catalogue.targets[home], app.catalogue.targets[fake]
    app.program.storage.favourites.add(Favourite(old.address, "Ours", 1.0, old.protocol, old.game, KEY))
    app.program.backend.user_lists.refresh_marks()
    controller = app.window.user_lists_controller.favourite_moves
    controller.ask_about_moves()
    assert controller.notification_bar.isHidden()
    app.live.merge_results([silence(app, home), claim(app, fake, KEY)])
    app.live.running_changed.emit(False)
    headline, sentence = controller.notification_bar.shown_texts()
    assert headline == "Has “Ours” moved?"
    assert str(old.address) in sentence
    assert str(new.address) in sentence
    assert app.catalogue.favourite[[home, fake]].tolist() == [True, False]

    buttons_by_text(controller.notification_bar)[button].click()
    assert controller.notification_bar.isHidden()
    moved = button == "Use new address"
    assert app.catalogue.favourite[[home, fake]].tolist() == [not moved, moved]
    (favourite,) = app.program.storage.favourites
    assert favourite.address == (new if moved else old).address
    app.live.running_changed.emit(False)
    assert controller.notification_bar.isHidden()


def test_question_ends_with_its_reason(app: AppDriver) -> None:
    home, fake = app.servers()[:2]
    old = app.catalogue.targets[home]
    answer = claim(app, home, KEY)
    app.program.storage.favourites.add(Favourite(old.address, "Ours", 1.0, old.protocol, old.game, KEY))
    controller = app.window.user_lists_controller.favourite_moves
    app.live.merge_results([silence(app, home), claim(app, fake, KEY)])
    controller.ask_about_moves()
    app.program.storage.favourites.remove(old.address)
    buttons_by_text(controller.notification_bar)["Use new address"].click()
    assert list(app.program.storage.favourites) == []
    app.program.storage.favourites.add(Favourite(old.address, "Ours", 1.0, old.protocol, old.game, KEY))
    controller.ask_about_moves()
    assert not controller.notification_bar.isHidden()
    app.live.merge_results([answer])
    app.live.running_changed.emit(False)
    assert controller.notification_bar.isHidden()
