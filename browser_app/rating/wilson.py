"""How far luck alone reaches: the interval of a share that was counted."""

import math

Z95 = 1.959963984540054


def wilson(share: float, n: int, z: float = Z95) -> tuple[float, float]:
    """Between what the true share lies, 95 times in 100 unless told otherwise (E. B. Wilson 1927); n ≥ 1.

    Unlike the normal interval it stays within 0 and 1, and is not empty at either of them.
    """
    weight = z * z / n
    middle = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
