"""UI state and saved filters survive a restart."""

import pytest

from browser_app.storage.database import Database
from browser_app.storage.ui_state import UiState
from browser_app.storage.user_lists.saved_filter_store import SavedFilterStore


def test_values_survive_restart(database: Database) -> None:
    ui_state = UiState(database)
    assert ui_state.get("sort") is None
    ui_state.set("sort", "-ping")
    ui_state.set("columns", {"order": ["ping", "name"], "widths": {"ping": 70}})
    database.flush()
    again = UiState(database)
    assert again.get("sort") == "-ping"
    assert again.get("columns") == {"order": ["ping", "name"], "widths": {"ping": 70}}


def test_unchanged_is_not_written(database: Database) -> None:
    ui_state = UiState(database)
    assert ui_state.set("sort", "ping") is not None
    assert ui_state.set("sort", "ping") is None


def test_invalid_value_is_none(database: Database) -> None:
    database.write(lambda connection: connection.execute("INSERT INTO ui_state VALUES ('sort', '{')")).result()
    assert UiState(database).get("sort") is None


def test_rename_keeps_position(database: Database) -> None:
    changes: list[int] = []
    saved = SavedFilterStore(database)
    saved.on_change = lambda: changes.append(len(saved))
    saved.save("NS2 near", "game:ns2 ping<=80")
    saved.save("  Duel   nights ", "mode:duel")
    saved.rename("NS2 near", "Near")
    saved.save("duel NIGHTS", "mode:duel players>=2")
    assert changes == [1, 2, 2, 2]
    database.flush()
    again = SavedFilterStore(database)
    assert dict(again) == {"Near": "game:ns2 ping<=80", "Duel nights": "mode:duel players>=2"}
    assert list(again) == ["Near", "Duel nights"]
    again.delete("Near")
    database.flush()
    assert list(SavedFilterStore(database)) == ["Duel nights"]


def test_bad_name_changes_nothing(database: Database) -> None:
    saved = SavedFilterStore(database)
    saved.save("Near", "ping<80")
    saved.save("Far", "ping>150")
    for name in ("", "   ", "x" * 41):
        with pytest.raises(ValueError, match="1 to 40"):
            saved.save(name, "ping<1")
    with pytest.raises(ValueError, match="another filter"):
        saved.rename("Near", "FAR")
    assert dict(saved) == {"Near": "ping<80", "Far": "ping>150"}
