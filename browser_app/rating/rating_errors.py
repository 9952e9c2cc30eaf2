"""Errors raised for invalid rounds and parameters."""


class InvalidRoundError(ValueError):
    """A round that contradicts itself and was not added.

    Attributes:
        index: number of the round, counted from 0 in the order given.
        field: the key at fault, as in `players[3].stays[0].leave`.
        problem: what is wrong with it.
    """

    def __init__(self, index: int, field: str, problem: str) -> None:
        super().__init__(f"round {index + 1}: {field}: {problem}")
        self.index = index
        self.field = field
        self.problem = problem


class DuplicateRoundIdError(InvalidRoundError):
    """A round with the id of another one.

    Attributes:
        first_index: number of the other round, counted as `index`.
    """

    def __init__(self, index: int, first_index: int) -> None:
        super().__init__(index, "id", f"is also the id of round {first_index + 1}")
        self.first_index = first_index


class ParameterError(ValueError):
    """A parameter that does not exist or has an invalid value.

    Attributes:
        name: the parameter.
        problem: what is wrong with it.
        within: the keys of a parameters file that lead to its table, as in `("modes", "ctf")`; empty elsewhere.
    """

    def __init__(self, name: str, problem: str, within: tuple[str, ...] = ()) -> None:
        super().__init__(f"{'.'.join((*within, name))}: {problem}")
        self.name = name
        self.problem = problem
        self.within = within
