"""Which protocol a server speaks that was named by an address alone, and where it is asked: found by asking it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from browser_app.catalogue.facts import Answer, Status, Target
from browser_app.engine.pacing import PACES
from browser_app.engine.resolve import LookUp, resolve, system_look_up
from browser_app.engine.scanner import Scanner
from browser_app.engine.stop import Stop
from browser_app.engine.timing import Timing
from browser_app.games.profile import GameProfile
from browser_app.protocols.address import Address
from browser_app.protocols.conversation import Want
from browser_app.protocols.server_link import ServerLink

TIMING = Timing(waits_s=(0.4, 0.6), listen_s=1.0)
"""For each protocol that is tried; nobody waits for a dead address for long."""
LOOK_S = 0.05

_LIKE = {"darkplaces": "quake3"}
"""DarkPlaces servers answer what Quake III asks; the answer tells the game, and the game its protocol."""


@dataclass(frozen=True, slots=True)
class Found:
    """What became of looking for a server."""

    target: Target | None
    """How it is asked; the best guess where nobody answered, None where its host is unknown."""
    answer: Answer | None = None
    """What it said; None where nobody answered."""


def find_server(
    scanner: Scanner,
    games: Mapping[str, GameProfile],
    link: ServerLink,
    stop: Stop,
    look_up: LookUp = system_look_up,
) -> Found | None:
    """Ask for the server that a link names; blocks for some seconds at most. None where `stop` was set meanwhile."""
    hosts = resolve(link.address.host, stop, look_up)
    if not hosts:
        return None if stop.is_set else Found(None)
    address, game = Address(hosts[0], link.address.port), known_game(games, link.game)
    if link.protocol and link.is_query:
        guesses = [Target(address, link.protocol, game)]
    else:
        guesses = list(guess_targets(games, address, link.protocol, game))
    for protocol in dict.fromkeys(target.protocol for target in guesses):
        answer = _ask(scanner, [target for target in guesses if target.protocol == protocol], stop)
        if answer is not None:
            target = _own_protocol(games, answer)
            return Found(target, replace(answer, target=target))
    return None if stop.is_set else Found(guesses[0])


def guess_targets(
    games: Mapping[str, GameProfile], address: Address, protocol: str | None, game: str | None
) -> Iterator[Target]:
    """Where and how a server may be asked whose game is told `address`; likely ones first, by the games' own ports."""
    near = sorted(games.values(), key=lambda profile: (profile.id != game, abs(profile.default_port - address.port)))
    protocols = [protocol] if protocol else [_LIKE.get(profile.protocol, profile.protocol) for profile in near]
    for each in dict.fromkeys(protocols):
        offsets = [p.query_port_offset for p in near if _LIKE.get(p.protocol, p.protocol) == each]
        for offset in dict.fromkeys((*offsets[:1], 0, *offsets) if game else (0, *offsets)):
            if 1 <= address.port + offset <= 65535:
                yield Target(Address(address.host, address.port + offset), each, game, address.port if offset else None)


def known_game(games: Mapping[str, GameProfile], game: str | None) -> str | None:
    """A game that somebody else named, None where there is no such profile."""
    return game if game in games else None


def _ask(scanner: Scanner, targets: list[Target], stop: Stop) -> Answer | None:
    scan = scanner.scan(targets, pace=PACES["normal"], want=Want.INFO, timing=TIMING, urgent=True)
    scan.seal()
    answers: list[Answer] = []
    while not (stop.is_set or any(answer.status == Status.OK for answer in answers)):
        ended = scan.wait(LOOK_S)
        while scan.answers:
            answers.append(scan.answers.popleft())
        if ended:
            break
    scan.cancel()
    return next((answer for answer in answers if answer.status == Status.OK), None)


def _own_protocol(games: Mapping[str, GameProfile], answer: Answer) -> Target:
    facts, target = answer.facts, answer.target
    profile = games.get(facts.game or "") if facts is not None else None
    return target if profile is None else target._replace(protocol=profile.protocol, game=profile.id)
