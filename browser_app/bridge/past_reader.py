"""What is kept of one server over time, read beside the window."""

from collections.abc import Callable

from browser_app.bridge.background import Background
from browser_app.catalogue.series import Series
from browser_app.protocols.address import Address
from browser_app.storage.errors import StorageError
from browser_app.storage.samples import Samples


class PastReader:
    """Reads series of samples."""

    def __init__(self, samples: Samples, background: Background) -> None:
        self._samples, self._background = samples, background

    def read(self, address: Address, then: Callable[[Series], object]) -> None:
        """Call back with all that is kept of a server; with an empty series where the file cannot be read."""
        self._background.run(lambda: self._series(address), then)

    def _series(self, address: Address) -> Series:
        try:
            return self._samples.series(address)
        except StorageError:
            return Series.of_rows([])
