"""Fields that the grammars of several protocols share."""

from typing import Final

from fuzz_grammar import Grammar, Part, number, seq, text

BREAK: Final = b"\0--\0"
"""Between the datagrams of one exchange."""
TOKENS: Final = (b"token000", b"token001")
"""Tokens of the two attempts."""

string = seq(text, b"\0")
u8, u16, u32 = number(1), number(2), number(4)


def exchange(*datagrams: Part) -> Grammar:
    """The datagrams, of which a changed grammar may lose or move one."""
    return seq(*(part for datagram in datagrams for part in (datagram, BREAK)))


def filled(part: Part, size: int) -> Grammar:
    """A text in a field of fixed size."""
    return lambda rng: [b"".join(seq(part)(rng))[:size].ljust(size, b"\0")]
