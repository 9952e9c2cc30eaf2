"""Readers of lists, and of other answers over HTTP and TCP."""

from functools import partial

import fuzz_cube2_grammar
import fuzz_free_games_grammar
import fuzz_gamespy_grammar
import fuzz_http_grammar
import fuzz_protocols
import fuzz_samples as samples
import fuzz_srb2_grammar
import fuzz_texts
import fuzz_warzone_grammar
from fuzz_fields import BREAK
from fuzz_invariants import check_info
from fuzz_reader import FuzzedReader, merge_results, shared_games

from browser_app.bridge import single_instance
from browser_app.catalogue.server_info import DescribedServer, QueryResult, QueryStatus
from browser_app.engine.masters.described_lists import LIST_FORMATS, ListReader
from browser_app.engine.masters.tcp_lists import TCP_LIST_KINDS
from browser_app.player import steam_web_api, xonstat_web_api
from browser_app.player.rate_limited_fetcher import SkillSourceError
from browser_app.protocols.gamespy import gamespy_master_packets
from browser_app.protocols.json_parser import find_line_numbers
from browser_app.protocols.master_lists import steam_server_list
from browser_app.protocols.master_lists.community_list import ServerListError, ServerListReader, parse_server_list
from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.master_lists.json_list_reader import split_chunks
from browser_app.protocols.release_page import find_newest_release


def list_readers() -> dict[str, FuzzedReader]:
    steam, player = samples.steam_lists(), samples.player_answers()
    account = "76561197960265729"
    grammars = {**fuzz_texts.DESCRIBED_LISTS, **fuzz_http_grammar.HTTP_LISTS, "mta": fuzz_protocols.MTA_LISTS}
    grammars["assaultcube"] = fuzz_cube2_grammar.CUBE_LISTS
    grammars["bzflag"] = fuzz_free_games_grammar.BZFLAG_LISTS
    grammars["supertuxkart"] = fuzz_free_games_grammar.SUPERTUXKART_LISTS
    grammars["mumble"] = fuzz_free_games_grammar.MUMBLE_LISTS
    grammars |= dict.fromkeys(("srb2", "srb2kart", "ringracers"), fuzz_srb2_grammar.SRB2_LISTS)
    grammars["quake2"] = fuzz_protocols.WEB_ADDRESS_LISTS
    over_tcp = dict.fromkeys((kind.name for kind in TCP_LIST_KINDS), ("assaultcube", fuzz_cube2_grammar.CUBE_LISTS))
    over_tcp["openttd"] = "openttd", fuzz_free_games_grammar.OPENTTD_LISTS
    over_tcp["warzone2100"] = "warzone2100", fuzz_warzone_grammar.WARZONE_LISTS
    return {
        "Steam's list": FuzzedReader(
            _steam_list, (steam_server_list.SteamListError,), steam[:2], fuzz_texts.STEAM_LISTS
        ),
        "community's list": FuzzedReader(parse_server_list, (ServerListError,), steam[2:], fuzz_texts.COMMUNITY_LISTS),
        "list of a newer program": FuzzedReader(_newer_list, (ServerListError,), steam[2:], fuzz_texts.COMMUNITY_LISTS),
        **{
            f"{form.name} list": FuzzedReader(
                partial(_described_list, form.read),
                (DescribedListError,),
                samples.described_lists(form.name),
                grammars[form.name],
            )
            for form in LIST_FORMATS
        },
        **{
            f"{kind.name} list over TCP": FuzzedReader(
                partial(_described_list, kind.read),
                (DescribedListError,),
                samples.described_lists(over_tcp[kind.name][0]),
                over_tcp[kind.name][1],
            )
            for kind in TCP_LIST_KINDS
        },
        "GameSpy's list over TCP": FuzzedReader(
            _gamespy_list,
            (DescribedListError,),
            (b"\\basic\\\\secure\\ABCDEF" + BREAK + b"\\ip\\192.0.2.7:7778\\final\\",),
            fuzz_gamespy_grammar.GAMESPY_LISTS,
        ),
        "Steam's user stats": FuzzedReader(partial(_steam_skill, account=account), (SkillSourceError,), player[:1]),
        "Steam's vanity names": FuzzedReader(steam_web_api.parse_vanity_reply, (SkillSourceError,), player[1:2]),
        "XonStat's skill": FuzzedReader(xonstat_web_api.parse_xonstat_skill, (SkillSourceError,), player[2:3]),
        "XonStat's games": FuzzedReader(xonstat_web_api.parse_recent_games, (SkillSourceError,), player[3:]),
        "lines in JSON": FuzzedReader(
            _line_numbers, (ValueError, IndexError, RecursionError), steam, fuzz_texts.STEAM_LISTS
        ),
        "page of releases": FuzzedReader(
            find_newest_release,
            (),
            (b"0.2.1", b'[{"tag_name": "v0.2", "draft": false}, "0.3"]'),
            fuzz_texts.RELEASE_PAGES,
        ),
        "second start": FuzzedReader(
            single_instance._parse_request,
            (),
            (samples.as_json({"ready-room-open": ["readyroom://join"], "token": "x"}),),
        ),
    }


def _steam_list(data: bytes) -> object:
    return list(steam_server_list.parse_steam_servers(split_chunks(data)))


def _described_list(read: ListReader, data: bytes) -> object:
    described = list(read(split_chunks(data), shared_games()))
    infos = [(each.target, each.info) for each in described if isinstance(each, DescribedServer)]
    for _target, info in infos:
        check_info(info)
    merge_results(
        *(QueryResult(target, QueryStatus.OK, info, None, 50.0, False, 1, 1_700_000_000.0) for target, info in infos)
    )
    return described


def _gamespy_list(data: bytes) -> object:
    greeting, _, rest = data.partition(BREAK)
    challenge = gamespy_master_packets.find_challenge(greeting)
    if challenge is not None:
        gamespy_master_packets.build_list_request(challenge, "ut")
    return list(gamespy_master_packets.parse_gamespy_list(split_chunks(rest)))


def _line_numbers(data: bytes) -> object:
    return find_line_numbers(data, [("response",), ("response", "servers", 0, "addr"), ("response", "success", 1)])


def _newer_list(data: bytes) -> object:
    return list(ServerListReader(split_chunks(data)))


def _steam_skill(data: bytes, account: str) -> None:
    steam_web_api.parse_steam_skill(data, account)
