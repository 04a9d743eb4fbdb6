"""What a check raises."""


class CheckFailed(AssertionError):
    """A game does not do what every game must. The text says what is wrong and, if known, what to do about it."""
