"""Favourite servers, known by their address or by a key that survives a change of address."""

from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace

from browser_app.catalogue.marks import NOWHERE, Marks
from browser_app.protocols.address import Address
from browser_app.storage.database import Database


@dataclass(frozen=True, slots=True)
class Favourite:
    """One favourite. `protocol` and `game` are None where only an address was given."""

    address: Address
    """The query address where it is known, else what the game is told."""
    name: str
    added_at: float
    """Unix time, s."""
    protocol: str | None = None
    game: str | None = None
    stable_key: str | None = None


class Favourites:
    """The user's favourites: in memory for reading, each change written at once."""

    def __init__(self, database: Database) -> None:
        """Load them.

        Raises:
            StorageError: the file cannot be read.
        """
        self._database = database
        rows = database.rows(
            "SELECT host, port, name, added_at, protocol, game, stable_key FROM favourites ORDER BY added_at"
        )
        loaded = [Favourite(Address(host, port), *rest) for host, port, *rest in rows]
        self._by_address = {favourite.address: favourite for favourite in loaded}

    def __len__(self) -> int:
        return len(self._by_address)

    def __iter__(self) -> Iterator[Favourite]:
        return iter(tuple(self._by_address.values()))

    def __contains__(self, address: object) -> bool:
        return address in self._by_address

    def add(self, favourite: Favourite) -> Future[None]:
        """Add it, in place of one with the same address."""
        return self.put([favourite])

    def put(self, favourites: Collection[Favourite]) -> Future[None]:
        """Add these, in place of those with the same addresses; many are written at once."""
        self._by_address |= {each.address: each for each in favourites}
        return self._database.execute_many(
            "INSERT OR REPLACE INTO favourites (host, port, name, added_at, protocol, game, stable_key)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((*f.address, f.name, f.added_at, f.protocol, f.game, f.stable_key) for f in favourites),
        )

    def remove(self, address: Address, stable_key: str | None = None) -> Future[None]:
        """Remove the one with this address; where there is none, those with this stable key are no more known by it.

        These stay at their own addresses: a server elsewhere may have copied their key.
        """
        if self._by_address.pop(address, None) is not None:
            statement, values = "DELETE FROM favourites WHERE host = ? AND port = ?", tuple[object, ...](address)
        else:
            for favourite in self:
                if favourite.stable_key == stable_key:
                    self._by_address[favourite.address] = replace(favourite, stable_key=None)
            statement, values = "UPDATE favourites SET stable_key = NULL WHERE stable_key = ?", (stable_key,)
        return self._database.execute(statement, values)

    def marks(self, keys: Iterable[str] = ()) -> Marks:
        """The favourites as the catalogue wants them; `keys` are those of more, whose addresses are not known."""
        return Marks(
            addresses=frozenset(self._by_address),
            keys=dict.fromkeys(keys, NOWHERE)
            | {f.stable_key: f.address for f in self._by_address.values() if f.stable_key is not None},
        )
