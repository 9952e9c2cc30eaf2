"""README's table of features: each Y is shown by tests, and these are there."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SHOWN_BY: dict[str, tuple[str, ...]] = {
    "Several games": ("engine/test_sources.py::test_a_game_means_its_masters",),
    "Text search": ("ui/test_window_list.py::test_a_typed_filter_leaves_what_passes_and_esc_takes_it_away",),
    "Expressions and wildcards": (
        "catalogue/test_filter_language.py::test_what_passes",
        "ui/test_window_filters.py::test_field_and_chips_are_one_filter_and_the_page_lifts_one",
    ),
    "Not full, has players, no password": (
        "ui/test_window_filters.py::test_a_chip_says_what_it_would_leave_then_what_it_hides",
    ),
    "Greatest ping": ("ui/test_window_filters.py::test_the_ping_menu_takes_one_choice_and_off",),
    "Counts on filters": ("ui/test_window_filters.py::test_what_one_of_two_chips_hides_is_what_comes_back_without_it",),
    "Lists with filters of their own": (
        "ui/test_window_filters.py::test_every_list_has_filters_of_its_own_and_they_outlive_the_program",
    ),
    "Sort by column": ("ui/test_window_list.py::test_a_click_on_a_title_sorts_and_another_turns_it_round",),
    "An order by how good a game is likely": (
        "commands/test_score_command.py::test_check_values",
        "ui/test_window_list.py::test_it_fills_with_every_server_best_first",
    ),
    "Play Now": ("ui/test_window_play.py::test_a_press_asks_again_counts_down_and_starts_the_game",),
    "True ping of every server": ("engine/test_scanner_pings.py::test_pings_stay_exact_beside_a_busy_thread",),
    "Live refresh": ("ui/test_window_list.py::test_a_refresh_never_empties_the_list_nor_loses_the_selection",),
    "Rows keep their place meanwhile": (
        "ui/test_window_list.py::test_scrolled_rows_stay_in_their_place_while_the_order_changes",
        "ui/test_window_list.py::test_rows_hold_still_while_the_pointer_is_over_them",
    ),
    "Players with score and time": ("ui/test_window_inspector.py::test_players_add_up_and_rules_are_shown",),
    "Rules": ("ui/test_window_inspector.py::test_players_add_up_and_rules_are_shown",),
    "Favourites": ("ui/test_window_memory.py::test_favourites_by_star_and_by_key_survive_the_end",),
    "History of visits": ("ui/test_people_notes.py::test_visits_are_listed_and_added_up",),
    "Friends": ("ui/test_people_friends.py::test_one_click_makes_a_friend_who_is_marked_and_listed",),
    "Local network": ("ui/test_window_frame.py::test_choosing_lan_looks_there_and_who_answers_stands_in_it",),
    "Add by address": ("ui/test_server_links.py::test_a_typed_address_is_asked_shown_and_a_favourite",),
    "Wait for a slot and join": (
        "ui/test_waiting.py::test_a_full_server_offers_waiting_and_is_joined_when_somebody_leaves",
    ),
    "Password asked, and remembered": (
        "ui/test_joining.py::TestPasswords::test_it_is_kept_when_the_game_ran_for_a_while",
    ),
    "Starts the game": ("ui/test_window_play.py::test_a_press_asks_again_counts_down_and_starts_the_game",),
    "Country": ("catalogue/test_filter_language.py::test_countries_are_looked_up_and_private_addresses_have_none",),
    "Graphs of the past": (
        "ui/test_window_history.py::test_the_page_shows_plots_and_sentences_and_turns_with_the_selection",
    ),
    "Notifications": (
        "ui/test_people_alerts.py::test_enough_players_are_told_once_and_in_the_status_line_where_no_desktop_does",
    ),
    "Copy, share, export": ("ui/test_list_exchange.py::test_lists_go_into_a_file_and_come_back",),
    "Links of its own": ("ui/test_server_links.py::test_a_link_shows_its_server_and_joins_nothing_by_itself",),
    "Command line": ("commands/test_list_command.py::test_every_documented_key_is_there_and_unknown_is_null",),
    "Everything by keys": (
        "ui/test_window_access.py::test_tab_goes_through_the_window_in_reading_order",
        "ui/test_settings_dialog.py::test_f1_lists_every_key_that_does_something",
    ),
    "Light, dark, contrast": ("ui/test_settings_dialog.py::test_the_theme_changes_at_once_and_reset_brings_it_back",),
    "Translations": ("ui/test_german.py::test_the_window_speaks_german",),
    "Screen readers": (
        "ui/test_window_access.py::test_every_control_in_the_tree_has_a_name",
        "ui/test_window_access.py::test_a_screen_reader_presses_play_now_and_opens_its_menu",
    ),
    "Hide a server": ("ui/test_people_block.py::test_b_and_enter_block_a_server_and_b_lets_it_in_again",),
    "Marks on what is not believable": (
        "catalogue/test_trust.py::test_the_same_players_at_two_addresses_and_no_longer",
    ),
    "Notes on a server": ("ui/test_people_notes.py::test_a_note_is_saved_as_it_is_typed_and_found_by_the_filter",),
    "Start settings of a server": (
        "ui/test_people_notes.py::test_extra_arguments_are_kept_if_a_game_can_be_told_them",
    ),
}
"""Feature → tests, from `tests/` on."""


def _table() -> dict[str, str]:
    """Feature → what the table says of Ready Room."""
    lines = (
        (ROOT / "README.md")
        .read_text(encoding="utf-8")
        .partition("\n## Features")[2]
        .partition("\n## ")[0]
        .splitlines()
    )
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return {row[0]: row[1].strip("*") for row in cells[1:]}


def _tests(path: str) -> set[str]:
    """The tests of a file, those of classes behind the class's name."""
    found = set()
    for node in ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return found


def test_what_the_table_claims_is_what_tests_show() -> None:
    assert {feature for feature, said in _table().items() if said != "–"} == set(SHOWN_BY)


def test_the_tests_that_show_it_are_there() -> None:
    named = [test.split("::", 1) for tests in SHOWN_BY.values() for test in tests]
    missing = [f"{path}::{name}" for path, name in named if name not in _tests(path)]
    assert not missing
    assert all(SHOWN_BY.values())
