"""Write rounds in every format that the program reads.

Players, servers and results are made up.

The shapes follow the programs that write such files: NS2+ and the mod Wonitor, the game server of Natural Selection 2,
Xonotic's match reports and event log; the round file and CSV tables are the program's own. Nothing is shared with the
program's readers. The output is always the same, apart from how well another zlib compresses the season.
"""

import argparse
import csv
import gzip
import io
import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

Round = dict[str, Any]
HERE = Path(__file__).resolve().parent


def iso(seconds: float) -> str:
    """Return a time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def poisson(rng: random.Random, mean: float) -> int:
    """Draw a count."""
    limit, product, count = math.exp(-mean), rng.random(), 0
    while product > limit:
        product *= rng.random()
        count += 1
    return count


# A season: JSON Lines


SEASON_ROUNDS = 1200
MODES = {"Hold": (540, 22.0), "Search": (780, 8.0), "Flags": (660, 17.0)}
"""Mean length in seconds and kills per player of a round."""
SYLLABLES = ("ba", "do", "ki", "lu", "mo", "ne", "ra", "sa", "ti", "vu")


def season() -> list[Round]:
    """Return rounds of 4 against 4 whose results follow from skills.

    Two are draws, and one has no result.
    """
    rng = random.Random("season")
    squads = [[f"{SYLLABLES[team % 10]}{SYLLABLES[number]}{team}" for number in range(5)] for team in range(16)]
    skill = {player: rng.gauss(0.0, 1.0) for squad in squads for player in squad}
    for squad in squads:
        strength = rng.gauss(0.0, 0.8)
        for player in squad:
            skill[player] += strength
    started = 1_600_000_000.0
    return [
        _season_round(rng, number, started := started + rng.randrange(400, 9000), squads, skill)
        for number in range(SEASON_ROUNDS)
    ]


def _season_round(
    rng: random.Random, number: int, started: float, squads: Sequence[Sequence[str]], skill: Mapping[str, float]
) -> Round:
    pair = rng.sample(range(len(squads)), 2)
    mode = rng.choice(sorted(MODES))
    mean_length, mean_kills = MODES[mode]
    length = max(120, round(rng.gauss(mean_length, mean_length / 6)))
    names = [f"Team {index + 1:02}" for index in pair]
    sides = [rng.sample(squads[index], 4) for index in pair]
    shape = [{player: skill[player] + rng.gauss(0.0, 0.9) for player in side} for side in sides]
    total = [sum(each.values()) / 4 for each in shape]
    players = []
    for side, (name, each) in enumerate(zip(names, shape, strict=True)):
        for player, performance in each.items():
            ahead = performance - total[1 - side]
            players.append(
                {
                    "id": player,
                    "stays": [{"team": name, "enter": 0, "leave": length}],
                    "kills": poisson(rng, mean_kills * math.exp(0.18 * ahead)),
                    "deaths": poisson(rng, mean_kills * math.exp(-0.15 * ahead)),
                    "assists": poisson(rng, mean_kills / 4),
                }
            )
    found: Round = {
        "id": f"season-{number:04}",
        "game": "own-arena",
        "map": rng.choice(("Harbour", "Foundry", "Orchard")),
        "mode": mode,
        "started": iso(started),
        "duration": length,
        "teams": names,
        "winner": names[0] if total[0] + rng.gauss(0.0, 0.25) > total[1] else names[1],
        "team_scores": dict.fromkeys(names, 0) | {names[0]: rng.randrange(50, 250)},
        "players": players,
    }
    if number in (400, 900):
        found["winner"] = None
    elif number == 1000:
        del found["winner"]
        found["note"] = "no result"
    return found


def lines_of(rounds: Sequence[Round]) -> bytes:
    """Return rounds as JSON Lines."""
    return "".join(json.dumps(each, separators=(",", ":"), ensure_ascii=False) + "\n" for each in rounds).encode()


def csv_table(rounds: Sequence[Round]) -> bytes:
    """Return rounds as a table with one row for each player."""
    text = io.StringIO()
    columns = ("id", "game", "map", "mode", "started", "duration", "winner", "player", "team", "kills", "deaths")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(columns)
    for each in rounds:
        common = [each[key] for key in ("id", "game", "map", "mode", "started", "duration", "winner")]
        for player in each["players"]:
            (stay,) = player["stays"]
            table.writerow([*common, player["id"], stay["team"], player["kills"], player["deaths"]])
    return text.getvalue().encode()


# Natural Selection 2


FIGURES = (
    *("timePlayed", "timeBuilding", "commanderTime", "kills", "assists", "deaths", "killstreak", "hits", "onosHits"),
    *("misses", "playerDamage", "structureDamage", "score"),
)
"""Statistics of a player on a team, in the order of Wonitor's lists."""
NS2_MAPS = ("ns2_pipeline", "ns2_quay", "ns2_mill")
WEAPONS = ({"Rifle": "Rifle", "Shotgun": "Shotgun"}, {"Bite": "Skulk", "Swipe": "Fade"})


@dataclass(frozen=True)
class NS2Round:
    """Plan of one round: how many people and what is special about it."""

    ended: int
    winner: int
    people: int
    bots: int = 0
    switchers: int = 0
    commanders: bool = True


NS2_ROUNDS = (
    NS2Round(1_660_000_000, 1, 12),
    NS2Round(1_660_003_000, 2, 12, switchers=2),
    NS2Round(1_660_006_500, 2, 6, bots=6),
    NS2Round(1_660_008_000, 0, 8, commanders=False),
    NS2Round(1_660_086_400, 1, 3, bots=8),
    NS2Round(1_660_090_000, 2, 14, switchers=1),
)


def _figures(rng: random.Random, played: float, commanding: float) -> dict[str, float]:
    kills, hits = (rng.randrange(12), rng.randrange(300)) if played else (0, 0)
    return {
        "timePlayed": round(played, 6),
        "timeBuilding": round(played * rng.random() / 4, 6),
        "commanderTime": round(commanding, 6),
        "kills": kills,
        "assists": rng.randrange(5) if played else 0,
        "deaths": rng.randrange(14) if played else 0,
        "killstreak": min(kills, rng.randrange(1, 6)),
        "hits": hits,
        "onosHits": hits // 9,
        "misses": hits * 3,
        "playerDamage": hits * 10,
        "structureDamage": hits * 4,
        "score": kills * 5,
    }


def ns2_round(plan: NS2Round) -> Round:
    """Return a round as NS2+ writes it."""
    rng = random.Random(plan.ended)
    length = round(rng.uniform(300, 2400), 9)
    people = rng.sample(range(1, 31), plan.people)
    stats: dict[str, Any] = {}
    for place, number in enumerate(people):
        last = 1 + place % 2 if not plan.bots else 1
        played = {last: length * rng.uniform(0.3, 1.0), 3 - last: 0.0}
        if place < plan.switchers:
            played = {last: length * 0.55, 3 - last: length * 0.4}
        commanded_s = played[last] * 0.8 if plan.commanders and place in (2, 3) else 0.0
        weapons = {
            weapon: {"teamNumber": side + 1, "kills": rng.randrange(5), "onosHits": 0, "hits": 3, "misses": 9}
            for side, each in enumerate(WEAPONS)
            for weapon in each
        }
        stats[str(2000 + number)] = {
            **{str(side): _figures(rng, played[side], commanded_s if side == last else 0.0) for side in (1, 2)},
            "isRookie": number % 7 == 0,
            "weapons": weapons,
            "status": [{"statusId": "Dead", "classTime": round(length / 10, 6)}],
            "lastTeam": last,
            "hiveSkill": 100 * number,
            "playerName": f"Gast {number:02}" if number % 5 else f"Gäst 🎮 {number:02}",
        }
    return {
        "KillFeed": _kill_feed(rng, plan, length, people),
        "Locations": ["Landing", "Pump Room", "Dry Dock", "Mess"],
        "Research": [],
        "Buildings": [
            {
                "teamNumber": side,
                "gameTime": 0,
                "built": True,
                "location": "0.5 1.25 -4.0",
                "recycled": False,
                "destroyed": False,
                "techId": tech,
            }
            for side, tech in ((1, "CommandStation"), (2, "Hive"))
        ],
        "PlayerStats": stats,
        "RoundInfo": {
            "roundDate": plan.ended,
            "maxPlayers1": (plan.people + plan.bots + 1) // 2,
            "maxPlayers2": (plan.people + plan.bots) // 2,
            "minimapExtents": {"origin": "0.0 0.0 0.0", "scale": "400.0 60.0 400.0"},
            "startingLocations": {"1": 1, "2": 3},
            "winningTeam": plan.winner,
            "tournamentMode": False,
            "roundLength": length,
            "mapName": rng.choice(NS2_MAPS),
        },
        "ServerInfo": {
            "mods": [{"modId": "706d242", "name": "NS2+"}],
            "slots": 24,
            "rookieOnly": False,
            "buildNumber": 344,
            "ip": "192.0.2.20",
            "name": "Own server | Gäste",
            "port": 27015,
        },
        "MarineCommStats": {},
    }


def _kill_feed(rng: random.Random, plan: NS2Round, length: float, people: Sequence[int]) -> list[dict[str, Any]]:
    feed = []
    for when in sorted(rng.uniform(30, length) for _ in range(12)):
        side = rng.randrange(2)
        weapon, form = rng.choice(sorted(WEAPONS[side].items()))
        killer, victim = (0 if plan.bots and rng.random() < 0.5 else 2000 + rng.choice(people) for _ in range(2))
        feed.append(
            {
                "killerWeapon": weapon,
                "killerSteamID": killer,
                "killerLocation": 1 + rng.randrange(4),
                "killerPosition": f"{rng.uniform(-90, 90):f} 1.000000 {rng.uniform(-90, 90):f}",
                "killerClass": form,
                "killerTeamNumber": side + 1,
                "victimLocation": 1 + rng.randrange(4),
                "victimSteamID": victim,
                "victimClass": "Skulk" if side == 0 else "Rifle",
                "victimPosition": f"{rng.uniform(-90, 90):f} 1.000000 {rng.uniform(-90, 90):f}",
                "gameTime": round(when, 9),
            }
        )
    return feed


def wonitor_posts() -> bytes:
    """Return posts of the mod Wonitor, one per line.

    Ends of matches, a chat message, and rounds with players.
    """
    end = {"map": "ns2_quay", "length": 900.5, "winner": 2, "time": 1_661_000_900, "serverName": "Own server"}
    posts: list[tuple[str, Any]] = [
        ("MatchEnd", end),
        ("MatchEnd", end | {"time": "2022-08-20 15:28:20", "winner": 1, "length": 700.25}),
        ("Chat", {"message": "gg & hf"}),
    ]
    for plan in NS2_ROUNDS[:2]:
        data = ns2_round(plan)
        for player in data["PlayerStats"].values():
            player |= {side: [player[side][key] for key in FIGURES] for side in ("1", "2")}
        posts.append(("NS2PlusStats", data))
    return "".join(
        urlencode({"messageType": kind, "serverId": "9", "data": json.dumps(data)}) + "\n" for kind, data in posts
    ).encode()


def ns2_match_end() -> Round:
    """Return the report that the game itself posts.

    Exact times for some, only lengths for one, and a bot.
    """
    rng = random.Random("match end")
    length = 1325.5
    players: list[dict[str, Any]] = []
    for number in range(1, 11):
        team = 1 + number % 2
        name = ("marine", "alien")[team - 1]
        enter = round(rng.uniform(0, 200), 3)
        players.append(
            {
                "steamId": 2000 + number,
                "nickname": f"Gast {number:02}",
                "teamNumber": team,
                "marineTime": length - enter if team == 1 else 0,
                "alienTime": length - enter if team == 2 else 0,
                "commanderTime": 400 if number < 3 else 0,
                **{key: rng.randrange(20) for key in ("kills", "deaths", "assists", "score")},
                **({f"debug_{name}EntranceTimes": [enter], f"debug_{name}ExitTimes": []} if number != 4 else {}),
            }
        )
    players.append({"steamId": 0, "nickname": "Bot", "teamNumber": 1})
    head = {"mapName": "ns2_mill", "gameTime": length, "winner": 2, "gameMode": "ns2", "name": "Own server"}
    return {**head, "build": 344, "players": players}


# Xonotic


@dataclass(frozen=True)
class ReportedPlayer:
    """One participant of a match report: an empty key stands for a bot."""

    key: str
    name: str
    team: int | None = None
    score: int = 0
    deaths: int = 0
    alive: float = 600.0
    place: int | None = None
    won: bool = False
    quit: bool = False
    watched: bool = False


def report(
    mode: str, number: int, duration: float, players: Sequence[ReportedPlayer], teams: Mapping[int, Mapping[str, float]]
) -> bytes:
    """Return a match report as a server sends it to XonStat."""
    rng = random.Random(f"{mode} {number}")
    lines = ["V 9", "R xonotic-v0.8.6", f"G {mode}", "O Xonotic", "M pumphouse", f"I {number}.16{number:08}.25{number}"]
    lines += ["S Own Xonotic | Gäste", "C 12", "U 26000", f"D {duration:f}", "L "]
    for team, events in teams.items():
        lines += [f"Q team#{team}", *(f"e scoreboard-{key} {value:g}" for key, value in events.items())]
    for index, player in enumerate(players, 1):
        is_bot = not player.key
        lines += [f"P {player.key or f'bot#1#{player.name}'}", f"i {index}", f"n {player.name}"]
        lines += [] if player.team is None else [f"t {player.team}"]
        if player.watched:
            continue
        counts = {"elo": 100 + index, "deaths": player.deaths, "kills": player.score, "score": player.score}
        lines += [
            f"e {kind}-{key} {value}" for key, value in counts.items() if value for kind in ("scoreboard", "total")
        ]
        for weapon in ("vortex", "blaster", "mortar", "devastator"):
            fired = rng.randrange(4, 60)
            lines += [f"e acc-{weapon}-cnt-fired {fired}", f"e acc-{weapon}-cnt-hit {fired // 3}"]
        if not player.quit:
            place = player.place or index
            lines += [f"e rank {place}", f"e scoreboardpos {place}", "e scoreboardvalid 1", "e matches 1"]
        lines += ["e wins 1"] if player.won else []
        lines += [f"e joins {1 + rng.randrange(2)}", f"e alivetime {player.alive:g}"]
        lines += [] if is_bot else [f"e avglatency {rng.uniform(15, 90):.4f}"]
    return ("\n".join(lines) + "\n").encode()


RED, BLUE, YELLOW, PINK = 5, 14, 13, 10


def reports() -> dict[str, bytes]:
    """Return one match report for each of six modes, and one of a person against bots."""
    return {
        "own.duel.txt": report(
            *("duel", 1, 600.0),
            [
                ReportedPlayer("61", "^xE00🔥^7Ida^1!", None, 24, 12, 575.25, 1, won=True),
                ReportedPlayer("62", "champ", None, 11, 25, 549.5, 2),
                ReportedPlayer("63", "watcher", watched=True),
            ],
            {},
        ),
        "own.dm.txt": report(
            *("dm", 2, 485.5),
            [
                ReportedPlayer(
                    f"{70 + place}", f"^{place}P{place}^7", None, 30 - 3 * place, place + 4, 470.0 - place, place
                )
                for place in range(1, 10)
            ]
            + [ReportedPlayer("player#11", "^1left", None, 2, 5, 60.0, quit=True)]
            + [ReportedPlayer(f"{90 + number}", f"guest{number}", watched=True) for number in range(2)],
            {},
        ),
        "own.ca.txt": report(
            *("ca", 3, 1073.0),
            [
                ReportedPlayer(
                    f"{60 + number}",
                    f"Gäst{number}",
                    (RED, BLUE)[number % 2],
                    9 - number,
                    number,
                    900.0 - number,
                    won=number % 2 == 0,
                    quit=number == 5,
                )
                for number in range(8)
            ]
            + [ReportedPlayer("99", "watcher", -1, watched=True)],
            {BLUE: {"rounds": 6, "score": 104.25}, RED: {"rounds": 10, "score": 130.5}},
        ),
        "own.cts.txt": report("cts", 4, 1800.0, [ReportedPlayer("61", "Ida", None, 0, 157, 1700.5, 1, won=True)], {}),
        "own.ft.txt": report(
            *("ft", 5, 385.25),
            [ReportedPlayer("61", "Ida", RED, -2, 2, 308.5)]
            + [
                ReportedPlayer("", f"[BOT]Bot{number}", (BLUE, RED)[number % 2], number, 4, 380.0)
                for number in range(7)
            ],
            {BLUE: {"score": 12}, RED: {"score": 9}},
        ),
        "own.kh.txt": report(
            *("kh", 6, 900.0),
            [
                ReportedPlayer("61", "Ida", YELLOW, 98, 15, 880.0, won=True),
                ReportedPlayer("62", "champ", PINK, 40, 18, 870.0),
            ]
            + [ReportedPlayer("", f"[BOT]Bot{number}", (RED, BLUE)[number % 2], 10, 20, 900.0) for number in range(6)],
            {
                PINK: {"caps": 9, "score": 571},
                YELLOW: {"caps": 28, "score": 2631},
                BLUE: {"caps": 4, "score": 562},
                RED: {"score": 425},
            },
        ),
        "own.bots.txt": report(
            *("dm", 7, 295.0),
            [ReportedPlayer("player#5", "^x0a0Neu^7", None, 29, 10, 290.0, 1, won=True)]
            + [ReportedPlayer("", f"[BOT]Bot{number}", None, 20 - number, 9, 295.0, number + 2) for number in range(4)],
            {},
        ),
    }


def event_log() -> bytes:
    """Return the end of a server's event log.

    One number is malformed, where no reader needs it.
    """
    head = ":labels:player:score!!,kills,deaths<,dmg,elo"
    rows = ("30,30,12,3000,0:412:-1:4:Ida", "21,21,17,error,0:285:-1:7:^x26FDer ^7Gast", "29,29,24,2900,0:409:-1:5:a:b")
    lines = (
        ":logversion:3",
        ":gamestart:dm_pumphouse:7.1660000000.12345",
        ":join:1:4:192.0.2.9:Ida",
        ":scores:dm_pumphouse:417",
        head,
        *(f":player:see-labels:{row}" for row in rows),
        ":end",
        ":gameover",
    )
    return ("\n".join(lines) + "\n").encode()


def generated_files() -> dict[str, bytes]:
    """Return the content of every file by its path below this folder.

    The season is not compressed.
    """
    rounds = season()
    return {
        "rounds/season.jsonl": lines_of(rounds),
        "rounds/league.csv": csv_table(rounds[:20]),
        "rounds/ns2_match_end.json": json.dumps(ns2_match_end(), indent=1).encode() + b"\n",
        "rounds/wonitor_posts.txt": wonitor_posts(),
        **{
            f"ns2plus/{plan.ended}.json": json.dumps(ns2_round(plan), indent=1, ensure_ascii=False).encode() + b"\n"
            for plan in NS2_ROUNDS
        },
        **{f"xonstat/{name}": content for name, content in reports().items()},
        "xonstat/eventlog_dm.log": event_log(),
    }


def main() -> None:
    """Write the files; those that end with `.jsonl` are compressed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=HERE, help="write below this folder")
    folder = parser.parse_args().folder
    for name, content in generated_files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".jsonl":
            path.with_suffix(".jsonl.gz").write_bytes(gzip.compress(content, 9, mtime=0))
        else:
            path.write_bytes(content)


if __name__ == "__main__":
    main()
