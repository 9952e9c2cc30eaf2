"""Grammar of the lobby of Warzone 2100."""

import random
from typing import Final

from fuzz_fields import filled, u16
from fuzz_grammar import Fields, Grammar, Part, changed_fields, either, mostly, number, seq, text

from browser_app.protocols.master_lists import warzone_list

_u32 = number(4, "big")
_name = mostly(either(b"Rig Warzone", "Rïg".encode(), b"\xffRig", b"x" * 300), text)
_game = seq(
    mostly(warzone_list.STRUCTURE_VERSION.to_bytes(4, "big"), _u32), filled(_name, 64), _u32, _u32,
    filled(mostly(either(b"192.0.2.7", b"2001:db8::7", b"::ffff:192.0.2.7"), text), 40),
    mostly(b"\0\0\0\4", _u32), mostly(b"\0\0\0\2", _u32), _u32, mostly(b"\0\1\0\3", _u32), _u32, _u32,
    filled(text, 40), filled(text, 40), filled(b"Extra", 157), mostly(b"\x08\x34", u16),
    filled(mostly(b"Sk-Rush", text), 40), filled(_name, 40), filled(mostly(b"4.5.5", text), 64), filled(text, 255),
    _u32, _u32, mostly(either(bytes(4), b"\0\0\0\1"), _u32), *[_u32] * 6,
)  # fmt: skip


def _counted(part: Part, most: int = 3) -> Grammar:
    """Games after their number, which is sometimes wrong."""

    def build(rng: random.Random) -> Fields:
        games = [b"".join(seq(part)(rng)) for _ in range(rng.randrange(most + 1))]
        if games and rng.random() < 0.2:
            games[-1] = b"".join(changed_fields([games[-1]], rng))
        count = rng.choice((*[len(games)] * 10, len(games) + 1, 0, warzone_list.MAX_GAMES + 1))
        return [count.to_bytes(4, "big"), *games]

    return build


_message = mostly(b"\0\0\0\2Hi", either(bytes(4), b"\0\0\0\5Hi", _u32))
WARZONE_LISTS: Final = seq(
    _counted(_game),
    mostly(b"\0\0\0\xc8", _u32),
    _message,
    either(b"", bytes(4), seq(bytes(4), _counted(_game)), seq(b"\0\0\0\1", _counted(_game)), b"\0\0"),
)
