"""What all parts of the wire format share."""

from typing import Literal

from pydantic import ConfigDict, with_config

EXACT = ConfigDict(extra="forbid", use_attribute_docstrings=True)
exact = with_config(EXACT)
"""A typed dictionary without unknown keys, whose fields are documented by the strings below them."""

Status = Literal["open", "running", "finished", "abandoned"]
OptionValue = str | int | bool
