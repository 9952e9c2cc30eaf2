"""Valve's text format of keys and values (KeyValues, `.vdf`): quoted or bare words, blocks in braces, `//` comments.

Read here because the libraries for it are no more looked after, and have no caps on what a file may make them do.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from browser_app.language import gettext as _
from browser_app.storage.foreign.found import Unreadable

MAX_DEPTH = 32
MAX_VALUES = 200_000

Block: TypeAlias = Mapping[str, "Block | str"]
"""Keys are in lower case, as Valve's own readers do not tell case apart; of a key that comes twice the last counts."""

_TOKEN = re.compile(
    r"""\s+ | //[^\n]*
      | "(?P<quoted>(?:[^"\\]|\\.)*)"
      | (?P<brace>[{}])
      | \[[^\]\n]*\]
      | (?P<bare>[^\s{}"\[]+)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MEANT = {"n": "\n", "t": "\t"}


def read_vdf(data: bytes) -> Block:
    """Read a file.

    Raises:
        Unreadable: it is no such file, or too large a one; with the line.
    """
    text = data.decode("utf-8-sig", "replace")
    root: dict[str, Block | str] = {}
    blocks, key, values = [root], None, 0
    for line, kind, word in _words(text):
        if kind == "brace" and word == "}":
            if key is not None or len(blocks) == 1:
                raise Unreadable(_("line {line}: a brace too many").format(line=line))
            blocks.pop()
        elif key is None:
            if kind == "brace":
                raise Unreadable(_("line {line}: a block without a name").format(line=line))
            key = word.lower()
        else:
            values += 1
            if values > MAX_VALUES or len(blocks) > MAX_DEPTH:
                raise Unreadable(_("line {line}: too many values, or too deep").format(line=line))
            inner: dict[str, Block | str] = {}
            blocks[-1][key] = inner if kind == "brace" else word
            if kind == "brace":
                blocks.append(inner)
            key = None
    if key is not None or len(blocks) > 1:
        raise Unreadable(_("it ends too early"))
    return root


def block_at(block: Block, *path: str) -> Block:
    """The block that a path of keys leads to; an empty one where there is none."""
    for key in path:
        inner = block.get(key.lower())
        if not isinstance(inner, Mapping):
            return {}
        block = inner
    return block


def _words(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, kind and text of each word."""
    at, line = 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Unreadable(_("line {line}: unreadable").format(line=line))
        if match.lastgroup:
            word = match[match.lastgroup]
            if match.lastgroup == "quoted":
                word = _ESCAPE.sub(lambda escape: _MEANT.get(escape[1], escape[1]), word)
            yield line, match.lastgroup, word
        line += text.count("\n", at, match.end())
        at = match.end()
