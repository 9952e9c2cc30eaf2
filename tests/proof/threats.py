"""Threats by source, and the tests that cover each, with paths from `tests/`."""

from collections.abc import Mapping

_TRUNCATED, _FUZZ, _TEXT = (
    "proof/test_truncated_database.py",
    "proof/test_fuzz_readers.py",
    "proof/test_untrusted_text.py",
)
_FORGED, _JOIN = "engine/query/test_forged_replies.py", "ui/play/joining/test_join_passwords.py"

THREATS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "the network": {
        "malformed, cut off and foreign datagrams": (
            "protocols/test_hostile_bytes.py::test_random_bytes_in_clients",
            f"{_FUZZ}::test_only_declared_errors",
            "proof/test_fuzz_coverage.py::test_cases_reach_every_line",
            "engine/query/test_scanner_hostile.py::test_random_replies_never_raise",
        ),
        "input that an error of this program meets": (
            "engine/test_internal_errors.py::test_scanner_survives_parser",
            "engine/test_internal_errors.py::test_scanner_survives_session",
            "engine/test_internal_errors.py::test_lan_search_survives_parser",
            "catalogue/test_catalogue.py::test_internal_error_loses_one_server",
            "bridge/test_single_instance.py::test_internal_error_loses_one_request",
            "bridge/alerts/test_desktop_notifications.py::test_internal_error_loses_one_message",
        ),
        "answers forged from elsewhere, without the token, late or twice": (
            "engine/query/test_scanner_hostile.py::test_other_sender_is_ignored",
            "engine/query/test_scanner_hostile.py::test_wrong_token_is_rejected",
            "engine/query/test_scanner_hostile.py::test_duplicates_count_once",
        ),
        "answers forged by a listed server in the names of others": (
            f"{_FORGED}::test_listed_server_forges_few",
            f"{_FORGED}::TestPool::test_ports_are_replaced_and_bounded",
        ),
        "answers forged before a join": (
            f"{_FORGED}::test_forged_replies_before_join_are_ignored",
            f"{_FORGED}::test_every_check_has_new_port",
            f"{_JOIN}::TestPasswords::test_answers_on_known_ports_do_not_count",
        ),
        "floods": (
            "engine/query/test_scanner_hostile.py::test_flood_delays_no_server",
            "engine/query/test_scanner_hostile.py::test_spoofed_flood_is_survived",
            "engine/query/test_scanner_hostile.py::test_flood_keeps_engine_responsive",
            "engine/query/test_scanner_disconnect.py::test_endless_greetings_get_few_disconnects",
            "engine/query/test_scanner_disconnect.py::test_disconnects_leave_urgent_packets",
            "engine/masters/test_lan_discovery.py::test_flood_neither_delays_nor_fills_list",
            "real/test_hostile_scan.py::test_every_healthy_server_is_right",
        ),
        "names invented to notify the user without end": (
            "ui/lists/test_alerts_controller.py::test_notifications_are_limited",
            "ui/lists/test_alerts_controller.py::test_invented_names_are_forgotten",
            "ui/lists/test_player_monitor.py::test_server_with_made_up_names_is_limited",
        ),
        "connections that are accepted and left silent": (
            "engine/query/test_scanner_streams.py::test_unresponsive_servers_delay_only_their_scan",
            "engine/query/test_scanner_streams.py::test_unresponsive_server_is_given_up_for_next",
        ),
        "replies in the smallest of parts": (
            "engine/query/test_scanner_streams.py::test_tiny_parts_are_limited",
            "protocols/minecraft/test_minecraft_java.py::test_small_parts_are_not_copied_again",
        ),
        "bombs: compressed, split without end, larger than any reply": (
            "real/test_hostile_scan.py::test_it_ends_soon_and_stays_small",
            "protocols/a2s/test_a2s_split.py::test_decompression_limit",
            "protocols/test_hostile_bytes.py::test_largest_datagrams",
        ),
        "words that would be markup, terminal codes or another direction": (
            "ui/window/test_window_plain_text.py::test_control_characters_are_removed",
            "ui/window/test_window_plain_text.py::test_cells_and_tooltips",
            "ui/window/test_window_plain_text.py::test_labels_and_tooltips",
            "ui/window/test_tray_icon.py::test_last_server_can_be_rejoined",
            "ui/skill/habits/test_habits_page.py::test_player_names_are_plain_text",
            "commands/test_list_command.py::test_table_shows_plain_text",
            "bridge/alerts/test_desktop_notifications.py::test_plain_text_without_markup_capability",
        ),
        "words that would be a path, a command or a request": (
            f"{_TEXT}::test_command_line_ignores_it",
            f"{_TEXT}::test_window_ignores_it",
            "commands/test_play_command.py::test_game_gets_no_server_text",
            "launch/test_launch_plan.py::test_hostile_text_is_refused",
        ),
        "words that a spreadsheet would take for a formula": (
            "commands/test_list_command.py::test_csv_escapes_formulas",
            "ui/skill/over_time/test_rating_plot_export.py::test_csv_overlay_and_escaped_formulas",
        ),
        "words that would be SQL": (f"{_TEXT}::test_text_is_never_sql",),
        "answers from the Internet to a question to the local network": (
            "engine/masters/test_lan_discovery.py::test_reply_from_internet_is_ignored",
            "engine/masters/test_lan_discovery.py::test_other_port_is_ignored",
        ),
        "replies so large that many of them fill the memory": (
            "catalogue/test_details_budget.py::test_oldest_replies_of_host_lose_details",
            "catalogue/test_details_budget.py::test_addresses_of_one_machine_share_limit",
        ),
        "lists of many or the same players, to take the window's time": (
            "catalogue/test_suspicion.py::test_many_copies_are_compared_with_few",
            "bridge/test_server_list_controller.py::test_long_player_lists_are_merged_in_parts",
        ),
        "servers that pose as better or as another": (
            "catalogue/test_suspicion.py::test_copied_player_lists",
            "catalogue/test_catalogue.py::test_key_of_another_address_marks_nothing",
            "catalogue/test_catalogue.py::test_shared_key_marks_no_server",
        ),
        "a network, clock or process that stops and comes back": (
            "engine/query/test_scanner_send_errors.py::test_returning_network_is_used",
            "engine/query/test_engine_clock.py::test_clock_jumps_are_counted",
            "engine/query/test_engine_clock.py::test_suspension_does_not_age",
        ),
    },
    "masters": {
        "descriptions of other masters' servers, and of friends": (
            "catalogue/test_list_descriptions.py::test_answered_server_is_not_described_as_another_game",
            "catalogue/test_list_descriptions.py::test_list_does_not_change_how_own_servers_are_queried",
            "catalogue/test_dropped_servers.py::test_friends_keep_servers_that_have_answered",
        ),
        "services of others, named as servers over TCP": (
            "engine/masters/test_target_sink.py::test_lists_name_no_system_services_over_tcp",
        ),
        "they send us into the home or at this machine": (
            "engine/network/test_address_rules.py::test_private_in_local_network",
            "engine/network/test_address_rules.py::test_loopback_on_this_machine",
            "engine/network/test_address_rules.py::test_private_in_6to4_and_nat64",
            "engine/network/test_address_rules.py::test_registered_blocks",
            "engine/network/test_address_rules.py::test_addresses_with_embedded_ipv4",
            "engine/network/test_address_rules.py::test_unused_ipv6_space_is_no_server",
            "engine/masters/test_dpmaster_client.py::test_private_are_dropped",
            "engine/masters/test_master_poll.py::test_internet_list_is_public",
        ),
        "input that an error of this program meets": (
            "engine/test_internal_errors.py::test_dpmaster_client_survives_parser",
            "engine/test_internal_errors.py::test_master_poll_survives_master",
            "engine/test_internal_errors.py::test_resolver_survives_lookup",
        ),
        "they aim us at one victim": (
            "engine/query/test_host_budget.py::test_no_host_gets_more_than_its_share",
            "engine/query/test_host_budget.py::test_urgent_query_is_not_delayed_by_list",
            "protocols/test_effective_host.py::test_embedded_ipv4_is_host",
            "engine/query/test_host_budget.py::test_masters_and_broadcasts_share_it",
            "engine/query/test_host_budget.py::test_connections_to_masters_share_it",
            "engine/query/test_host_budget.py::test_all_senders_of_datagrams_are_known",
            "engine/masters/test_target_sink.py::test_limit_per_host",
            "engine/masters/test_target_sink.py::test_limit_counts_effective_hosts",
            "engine/masters/test_target_sink.py::test_masters_share_host_limit",
            "engine/masters/test_target_sink.py::test_hostname_limit",
        ),
        "addresses that nobody can reach: asked for ever, or filling the list": (
            "bridge/test_listing_updater.py::test_unresponsive_server_is_queried_while_listed",
            "bridge/test_listing_updater.py::test_sources_of_saved_servers_are_known",
            "engine/masters/test_target_sink.py::test_lists_share_quota_of_connections",
            "catalogue/test_dropped_servers.py::test_full_catalogue_has_room_for_answers",
            "catalogue/test_dropped_servers.py::test_reused_row_is_like_a_new_one",
            "ui/settings/test_switched_off_masters.py::test_servers_of_switched_off_master_leave",
        ),
        "a listed server that claims to be a favourite": (
            "application/test_favourite_moves.py::test_nothing_moves_by_itself",
            "application/test_favourite_moves.py::test_several_claims_prove_nothing",
            "catalogue/test_catalogue.py::test_key_of_very_many_servers_is_not_looked_through",
            "ui/lists/test_favourite_moves_controller.py::test_user_decides_where_favourite_is",
            "catalogue/reply_readers/test_server_info_readers.py::test_stable_key_is_printable",
        ),
        "lists without end, and masters that are dead or slow": (
            "engine/masters/test_dpmaster_client.py::test_endless_list_ends",
            "engine/masters/test_dpmaster_client.py::test_server_limit",
            "engine/masters/test_master_poll.py::test_master_timeout",
            "engine/test_server_poll.py::test_dead_master_delays_nothing",
            "engine/network/test_http_client.py::test_endless_response_is_cut_off",
        ),
        "lists that take the window's time or honest masters' place": (
            "engine/masters/test_hostile_masters.py::test_costly_list_is_cut_off",
            "engine/masters/test_hostile_masters.py::test_parsing_stops_when_cancelled",
            "engine/masters/test_hostile_masters.py::test_short_list_is_done_first",
            "engine/masters/test_hostile_masters.py::test_all_lists_share_quota",
            "engine/masters/test_hostile_masters.py::test_descriptions_share_quota",
            "engine/masters/test_dpmaster_client.py::test_repeating_master_is_cut_off",
            "engine/masters/test_parsing_turns.py::test_list_with_least_time_is_next",
            "engine/masters/test_parsing_turns.py::test_list_goes_on_until_others_have_taken_less",
            "engine/masters/test_parsing_turns.py::test_others_work_while_one_waits",
            "engine/masters/test_parsing_turns.py::test_costly_entries_end_turn",
            "engine/masters/test_parsing_turns.py::test_large_datagram_is_added_in_turns",
            "engine/network/test_http_client.py::test_others_work_while_server_is_silent",
            "engine/network/test_http_client.py::test_lines_are_read_in_turns",
            "engine/network/test_http_client.py::test_short_lines_count_as_long_ones",
            "protocols/master_lists/test_json_list_reader.py::test_value_limit",
            "protocols/master_lists/test_json_list_reader.py::test_member_limit",
            "protocols/master_lists/test_json_list_reader.py::test_holds_one_chunk",
            "protocols/test_json_parser.py::test_limit_of_answers",
        ),
        "documents that are too large, nested or compressed": (
            "engine/network/test_http_client.py::test_compressed_document_is_limited",
            "engine/network/test_http_client.py::test_document_size_limit",
            "engine/masters/test_master_poll.py::test_web_list_size_limit",
            f"{_FUZZ}::test_bombs_are_refused_or_read",
        ),
        "redirects: too many, away from https, into a private network": (
            "engine/network/test_http_client.py::test_at_most_three_redirects",
            "engine/network/test_http_client.py::test_redirects_never_come_nearer",
            "engine/network/test_http_client.py::test_redirect_to_own_public_address_is_refused",
        ),
        "names with one address on the Internet and one inside, or whose address changes": (
            "engine/network/test_http_client.py::test_only_addresses_of_checked_scope_are_connected",
            "engine/network/test_host_resolver.py::test_only_most_remote_addresses",
            "engine/network/test_host_resolver.py::test_named_target_follows_scope",
            "engine/network/test_host_resolver.py::test_names_are_looked_up_nowhere_else",
            "engine/masters/test_dpmaster_client.py::test_name_with_near_address",
        ),
        "somebody in between": (
            "engine/network/test_http_client.py::test_certificates_are_verified",
            "engine/network/test_http_client.py::test_foreign_certificate_fails",
            "engine/network/test_http_client.py::test_proxies_are_ignored",
            "engine/masters/test_dpmaster_client.py::test_other_senders_are_dropped",
        ),
    },
    "links": {
        "a web page's link that would join or start something": (
            "ui/servers/test_server_link_controller.py::test_link_shows_server_without_joining",
            "ui/servers/test_server_link_controller.py::test_bad_link_is_refused",
            "engine/network/test_address_rules.py::test_hosts_of_one_network",
            "commands/test_window_start.py::test_bad_link_is_not_passed",
        ),
        "links that smuggle arguments": (
            "protocols/test_server_link.py::test_any_text_is_parsed_or_rejected",
            "protocols/test_server_link.py::test_invalid_texts",
            "launch/test_launch_plan.py::test_hostile_hosts",
            "launch/test_launch_plan.py::test_hostile_passwords",
        ),
    },
    "imports": {
        "names in files that would be markup, terminal codes or another direction": (
            "storage/own_skill/test_round_store.py::test_texts_of_others_are_plain",
            "ui/skill/over_time/test_rating_overlay.py::test_player_name_is_no_markup",
            "ui/filters/test_window_filters.py::test_expression_of_others_is_no_markup",
            "commands/test_terminal_output.py::test_json_does_not_control_terminal",
            "commands/test_terminal_output.py::test_console_does_not_control_terminal",
            "commands/test_import_command.py::test_file_name_does_not_control_terminal",
        ),
        "files of rounds, lists and other programs that are broken on purpose": (
            f"{_FUZZ}::test_only_declared_errors",
            "rounds/test_round_file.py::test_any_bytes_read_or_raise",
            "storage/importers/test_importers.py::test_any_bytes_are_parsed_or_rejected",
            "storage/user_lists/test_lists_file.py::test_any_lists_are_parsed",
        ),
        "bombs: compressed, deep, endless lines, numbers and keys": (
            "rounds/test_round_reader.py::test_oversized_line_is_not_parsed",
            f"{_FUZZ}::test_bombs_are_refused_or_read",
            "rounds/test_round_source.py::test_compression_is_limited",
            "rounds/test_round_source.py::test_blank_lines_are_limited",
            "rounds/test_round_source.py::test_errors_are_counted_up_to_limit",
            "rounds/test_round_source.py::test_report_length_is_limited",
            "storage/user_lists/test_lists_file.py::test_many_problems_take_one_walk",
            "catalogue/test_catalogue.py::test_long_lists_of_networks_take_one_look_up_per_mask",
            "storage/test_settings.py::test_notices_are_limited",
            "storage/test_settings.py::test_oversized_file_is_reported",
            "storage/test_settings.py::test_lines_of_many_keys_take_one_pass_each",
        ),
        "devices, pipes that never open or end, and files that grow": (
            "rounds/test_round_source.py::test_devices_are_rejected",
            "rounds/test_round_source.py::test_silent_pipe_times_out",
            "rounds/test_round_source.py::test_endless_pipe_is_rejected",
            "rounds/test_round_source.py::test_growing_file_ends",
            "bridge/skill/test_round_importer.py::test_growing_file_is_not_watched_closely",
        ),
        "names in files that would be a path or an option": (
            "test_paths.py::test_any_text_makes_a_file_name",
            "ui/skill/over_time/test_rating_plot_export.py::test_export_name_is_safe",
        ),
        "folders that lead in circles, links to a secret": (
            "bridge/skill/test_round_importer.py::test_links_and_pipes_are_not_followed",
            "bridge/skill/test_round_importer.py::test_files_of_folder_are_limited",
            "player/test_xonotic_keys.py::test_link_to_secret_key_is_ignored",
        ),
    },
    "other users of this machine": {
        "they read what is kept": (
            "proof/test_private_files.py::test_all_files_are_private",
            "proof/test_private_files.py::test_what_was_open_is_shut",
        ),
        "they speak to the window, or were first at its socket": (
            "bridge/test_single_instance.py::test_other_user_cannot_connect",
            "bridge/test_single_instance.py::test_garbage_is_ignored",
            "bridge/test_single_instance.py::test_silent_connection_times_out",
            "proof/test_runtime_folder.py::test_folder_link_not_followed",
            "proof/test_runtime_folder.py::test_foreign_folder_is_not_used",
        ),
        "programs on the session bus answer a notification in the user's place": (
            "bridge/alerts/test_desktop_notifications.py::test_signals_of_other_programs_are_ignored",
        ),
        "they plant links": (
            "proof/test_private_files.py::test_database_link_stays_private",
            "proof/test_runtime_folder.py::test_socket_link_is_harmless",
        ),
    },
    "secrets": {
        "the Steam key in a process list, an output, an error or a file": (
            "proof/test_secrets_stay.py::test_keys_stay_secret",
            "proof/test_secrets_stay.py::test_url_errors_hide_key",
            "engine/network/test_http_client.py::test_error_text_without_key",
            "engine/masters/test_query_sources.py::test_no_key_in_errors",
            "storage/test_keyring_store.py::test_error_hides_secret",
        ),
        "the key on its way": (
            "engine/network/test_http_client.py::test_key_needs_https",
            "engine/network/test_http_client.py::test_redirect_drops_key",
        ),
        "passwords of servers in a file, an export or a link": (
            "storage/test_keyring_store.py::test_no_plain_text_keyring",
            "storage/user_lists/test_lists_file.py::test_no_passwords_in_export",
            "protocols/test_server_link.py::test_password_is_not_in_repr",
        ),
        "a saved password sent to another server at the same address": (
            f"{_JOIN}::TestPasswords::test_changed_server_asks_before_sending",
            "application/test_server_launcher.py::test_changes_since_password_was_saved",
            "application/test_server_launcher.py::test_password_of_earlier_version",
            "commands/test_play_command.py::test_changed_server_gets_no_password",
        ),
        "the secret half of the Xonotic key": ("player/test_xonotic_keys.py::test_secret_key_is_never_opened",),
    },
    "player sources": {
        "somebody is asked whom the user did not choose": (
            "bridge/skill/test_skill_service_poller.py::test_disabled_services_are_not_queried",
            "bridge/skill/test_skill_service_poller.py::test_demo_queries_no_service",
        ),
        "they are asked too often, or hang": (
            "player/test_rate_limited_fetcher.py::test_requests_per_host_are_limited",
            "bridge/skill/test_skill_service_poller.py::test_request_deadline",
        ),
        "they answer nonsense": (f"{_FUZZ}::test_only_declared_errors",),
    },
    "the page of new versions": {
        "it is asked unwanted, often, or where somebody in between could answer": (
            "bridge/test_update_check.py::test_no_request_without_address",
            "bridge/test_update_check.py::test_one_request_per_day",
            "bridge/test_update_check.py::test_address_must_be_https",
        ),
        "it answers nonsense": (
            "protocols/test_release_page.py::test_any_page_gives_version_or_none",
            "bridge/test_update_check.py::test_bad_page_fails_once_daily",
        ),
    },
    "failures": {
        "kill −9 and power failures": (
            "storage/test_database.py::test_kill_9_keeps_transactions",
            f"{_TRUNCATED}::test_truncated_log_loses_last_writes_only",
            f"{_TRUNCATED}::test_truncated_database_is_repaired_or_renamed",
            f"{_TRUNCATED}::test_killed_write_leaves_old_or_new_settings",
            f"{_TRUNCATED}::test_truncated_settings_are_read_or_kept",
            "proof/test_killed_window.py::test_killed_window_loses_nothing",
        ),
        "full disks and homes that cannot be written, for a while": (
            f"{_TRUNCATED}::test_full_disk_loses_nothing",
            "storage/test_database.py::test_refused_changes_are_saved_later",
            "storage/test_database.py::test_memory_moves_to_file_when_possible",
            "storage/test_database.py::test_copy_of_read_only_has_last_changes",
            "commands/test_import_command.py::test_unusable_database_is_reported_in_json",
            "commands/test_import_command.py::test_full_disk_is_reported_in_json",
            "ui/skill/over_time/test_rating_plot_export.py::test_failed_export_leaves_old_file",
            "bridge/test_live_settings.py::test_unsaved_changes_are_retried",
            "bridge/skill/test_round_importer.py::test_file_is_imported_after_full_disk",
            "ui/window/test_window_bad_input.py::test_unwritable_home_is_reported",
            "test_process_setup.py::test_missing_home_is_root_folder",
        ),
        "pipes, devices, folders and links in place of the program's files": (
            "storage/test_special_files.py::test_data_files",
            "storage/test_special_files.py::test_lock_log_and_profile",
            "storage/test_settings.py::test_link_is_written_through",
        ),
        "cells of a wrong type in the database": (
            "storage/test_wrong_cells.py::test_every_cell_of",
            "storage/test_wrong_cells.py::test_rounds_are_imported_beside_damaged_ones",
            "storage/test_wrong_cells.py::test_damaged_samples_are_not_thinned",
            "storage/test_user_storage.py::test_row_of_wrong_type_is_reported_and_kept",
        ),
        "a clock that is wrong for a while": (
            "storage/test_server_samples.py::test_wrong_clock_deletes_nothing",
            "storage/user_lists/test_pending_server_store.py::test_old_and_unreadable_entries_are_left_out",
            "storage/own_skill/test_skill_sample_store.py::test_wrong_clock_hides_no_later_sample",
            "bridge/skill/test_skill_service_poller.py::test_answer_from_future_is_updated",
            "catalogue/test_player_trends.py::test_clock_set_back_is_harmless",
        ),
        "two instances, one of them hung": (
            "bridge/test_single_instance.py::test_simultaneous_starts_have_one_first",
            "bridge/test_single_instance.py::test_silent_instance_is_replaced",
            "bridge/skill/test_skill_model.py::test_restart_shows_stored_ratings",
        ),
    },
    "packages": {
        "another package in place of a pinned one": (
            "packaging/test_requirements.py::test_every_package_has_hashes",
            "packaging/test_requirements.py::test_no_index_is_named",
        ),
        "test programs that would become public servers": (
            "packaging/test_peer_installer.py::test_no_service_starts_or_is_enabled",
            "packaging/test_peer_installer.py::test_killed_installation_is_repaired",
            "packaging/test_peer_installer.py::test_remove_removes_only_what_was_added",
        ),
        "pinned packages with known vulnerabilities": (
            "packaging/test_dependency_audit.py::test_vulnerable_pin_fails",
            "packaging/test_dependency_audit.py::test_no_reply_is_no_failure",
        ),
    },
}
"""From where → what → tests.

Not covered:

- Info replies by A2S, SA-MP, VC:MP, ASE and Luanti have no token, and some servers of the Quake III family echo none.
  Whoever is on the way to such a server can answer in its place, and so can whoever forges its address and knows or
  guesses the port of our query. A scan uses 16 ports at a time, and each for 64 queries, or more while over 2,000 are
  open: one listed server can answer for 63 others, about one in 16 of those being asked (of 500, 25 to 41 were seen;
  with one port for all, all 500). Somebody with a hundred listed addresses knows nearly all ports of the moment.
- The query before a join leaves from one of 32,768 ports that nobody is told. A forged packet hits it with 1 in 32,768,
  so that 10,000 of them before the server's own answer succeed in 26 of 100 cases. They can change what is shown, but
  a saved password only goes to the address, game, game port and stable key that it was saved for. Stable keys prove
  nothing: anybody can copy one.
- A favourite imported by its stable key alone is the first server that reports this key, as long as no other one does.
- Lists can make us send 768 packets a minute to a host that they name, and 3,072 to all hosts of an IPv6 /48. Four
  lists together can name so many servers on a host that those of a fifth are left out. Of a connection to a master on
  the web only its opening is counted.
- Of listed servers over TCP that say nothing, 64 are waited for at a time, each for a second: the 1,024 that all lists
  of a poll may name delay others by 16 s, and further ones are not asked in that poll. Servers known before and what
  the user asks for do not wait. Lists can name any port from 1024 on, so that a few bytes reach other services there.
- The first two protocols that lists name for a new server are tried: two lists that name wrong ones hide it.
- A game is told its password as its own command line has it, where other users can see it while it runs.
- A host name that the user gave, or that is in a link they opened, leads into their own network if all its addresses
  do: some names are meant to. The SRV record of a Minecraft domain chooses the port, too.
- The optional library of the Steam network looks up names and connects by itself.
"""
