"""The error that bad input ends in: one line that says what was wrong and what was expected."""


class StichError(Exception):
    """Something the user gave cannot be used; the message is written for them."""
