"""The rule-based player of document 003 as an opponent; the game's own `rule` is a stronger one."""

from typing import Any

import numpy as np

from stich.agents.base import Agent
from stich.core.contract import Array
from stich.core.jit import kernel
from stich.games.wizard.document_rule import document_rule


@kernel
def document_all(views: Array, out: Array) -> None:
    """The document's action in each view."""
    for i in range(len(views)):
        out[i] = document_rule(views[i])


class WizardDocument(Agent):
    """Plays Wizard by the rules of document 003."""

    trusted = True
    games = ("wizard",)

    def act_many(self, views: Array, rngs: Array) -> Any:
        """The document's action for each view; it uses no chance."""
        actions = np.zeros(len(views), np.int64)
        document_all(views, actions)
        return actions


AGENTS = {"wizard-document": WizardDocument}
