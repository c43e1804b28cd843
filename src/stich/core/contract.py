"""The contract of a game: what it declares, part by part, and the operations that kernels call.

A game is a NumPy record dtype `STATE`, plain Python functions, and one declaration that names them:

    SPEC = Spec("duel", ..., rules=Rules(deal, player, ...), text=Text(action_name, piles))
    register(SPEC, STATE)

Each part below is a dataclass of functions, documented where it is declared. `Rules` and `Text` are required; every
other part is a capability that a game has or has not (`stich games --json` lists them). `s` is the state of one game;
operations change it in place. What operations call is decorated `@compiled`. An unknown or misspelt name is an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stich.core.faces import Face
from stich.core.operation import Edge, Operation, Part, edge, op, operation

Array = NDArray[Any]
"""A NumPy array; kernels are compiled for whatever dtype it has."""
Int = int | np.integer[Any]
"""An integer of compiled code, of any width."""
Bool = bool | np.bool
"""A truth value of compiled code."""
Real = float | np.floating[Any] | np.integer[Any]
"""A number of compiled code, whole or not."""


class Record:
    """One state, or another record with fields by name; only a type, since records are NumPy's or the compiler's."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

        def __getitem__(self, name: str) -> Any: ...

        def __setitem__(self, name: str, value: Any) -> None: ...


def _zero(s: Record) -> Int:
    return 0


def _no(s: Record, a: Int) -> Int:
    return False


def _no_move(s: Record, rng: Record) -> Int:
    return -1


def _no_other(s: Record, which: Int, argument: Real, rng: Record) -> Int:
    return -1


def _no_past(s: Record, past: Array, rng: Record) -> Int:
    return 0


def _returns(s: Record, out: Array) -> None:
    returns(s, out)


def _unknown(s: Record, out: Array) -> None:
    out[0] = 0.0
    out[1] = 0.0


def _none(s: Record) -> Int:
    return -1


def _level(s: Record, a: Int) -> Int:
    return 0


def _all(s: Record, mask: Int) -> Int:
    return mask


def _endless(s: Record) -> Any:
    return -30000, 30000


def _own_score(s: Record, final: Int) -> Real:
    return 1.0 * final if side(s) == 0 else -1.0 * final


def _many(s: Record) -> Int:
    return 1000


def _nothing(s: Record) -> None:
    pass


@dataclass(frozen=True)
class Rules(Part):
    """The rules themselves, with what each seat knows."""

    deal: Operation = op("s, rng")
    """Sets up a fresh game. The fields of the options already hold their values and stay as they are; every other
    field must be written, since `s` may hold an earlier game. All randomness comes from `rng` (`stich.core.rng`)."""
    player: Operation = op("s")
    """The seat to act, 0 to seats - 1. It must follow from public fields: it is asked of views too."""
    legal: Operation = op("s")
    """The legal actions of the seat to act as an int64 mask, bit `a` for action `a`, at most 63 actions. Never empty
    before the end. On the view of the seat to act it is the same as on the full state."""
    apply: Operation = op("s, a")
    """Plays the legal action `a` of the seat to act, in place. Legality is checked at the edges, never here. A game of
    several deals keeps a generator in a field, which `hide` erases and `fill` renews, and deals from it here."""
    is_over: Operation = op("s")
    """Whether the game has ended. It must follow from public fields (how many cards were played, not whether hands are
    empty): views are asked too."""
    returns: Operation = op("s, out")
    """Writes each seat's result of a finished game into `out`, in the game's own units, within `Spec.bounds`."""
    hide: Operation = op("s, me")
    """Erases in place all that seat `me` cannot know. Two states that differ only in that must give the same bytes:
    agents, encoders, search and the server see nothing but such views, so this is the whole security of a game."""
    owners: Operation = op("s, me, plan")
    """Describes to the sampler where hidden cards may lie, as `me` knows it, from the view alone: `begin(plan)`, one
    `add_place(plan, size)` for each place with hidden cards, one `add_card(plan, card)` for each hidden card, and
    `plan.weight[row, place] = 0` where a card cannot lie. Sizes add up to the number of hidden cards."""
    fill: Operation = op("s, me, draw")
    """Writes a drawn placement into the view of `me`, which becomes a full state: card `draw.card[i]` lies in place
    `draw.place[i]`, for i below `draw.cards`. `draw.seed` renews the randomness of what is dealt later."""
    observe: Operation = op("s, me, which, out")
    """Writes the observation of seat `me` by encoder number `which` of `Spec.encoders`: small whole numbers, all of
    `out`, from what `me` knows alone. The real value is the number divided by its field's scale."""
    key: Operation = op("s, me")
    """A 64-bit key of all that `me` knows and has known: equal for states that `me` cannot tell apart, different for
    all others. Mix the fields with `stich.core.rng.mix`."""
    secret: Operation | None = op("s", _zero)
    """Whether only the seat to act will know what it does now, as when cards are laid off face down. Default: no."""


@dataclass(frozen=True)
class Phases(Part):
    """What a decision may be about: `GAME(trump=A, cards=B)` composes agents by phase, nets may differ by phase."""

    names: tuple[str, ...]
    """The name of each phase."""
    phase: Operation = op("s")
    """The number of the present phase in `names`, from public fields."""


@dataclass(frozen=True)
class Measures(Part):
    """Figures of a finished game beside its returns, for matches and studies."""

    names: tuple[tuple[str, str], ...]
    """Name and meaning of each figure."""
    measure: Operation = op("s, out")
    """Writes `out[seat, i]` for each seat and figure of a finished game."""


@dataclass(frozen=True)
class Stages(Part):
    """A long game in parts, deals or rounds: searches look no further than the end of the present one."""

    stage: Operation = op("s", absent=_zero)
    """How many stages are finished."""
    standing: Operation | None = op("s, out", _returns)
    """Writes what each seat has so far, in the units of its returns. Default: the returns, for games that can tell them
    at any time."""
    stakes: Operation | None = op("s, out", _unknown)
    """Writes the least and the greatest change of a seat's standing that this stage may still bring into `out[0]` and
    `out[1]`: scales the values of a search. Default: both 0, then the bounds of the game are used."""
    last_stage: Operation | None = op("s", _nothing)
    """Makes the present stage the last one, so that nothing is dealt after it, if that changes no result of it: saves
    searches the work of dealing. Default: nothing happens."""
    tricks_left: Edge | None = edge("s")
    """The tricks of this stage that are not finished; agents with a time budget share it among them."""


@dataclass(frozen=True)
class Exact(Part):
    """What exact solving with open cards asks of a game (docs/search.md)."""

    side: Operation | None = op("s", _none)
    """0 if the seat to act wants the score high, 1 if low; -1 in games in which each plays for themselves, which are
    solved by max^n. Default: -1."""
    score: Operation | None = op("s", _zero)
    """What side 0 has so far, a whole number; at the end of a stage it is the result. Games with sides need it."""
    reach: Operation | None = op("s", _endless)
    """Bounds on what may still be added to the score, as a pair (least, most). In games in which each plays for
    themselves: between which standings the seat to act will end. Tight bounds cut much, wrong ones falsify values."""
    order: Operation | None = op("s, a", _level)
    """How promising a move is: the greatest is tried first. Default: all alike."""
    distinct: Operation | None = op("s, mask", _all)
    """Legal moves without those that must have the same value as another one of them. Default: all."""
    position: Operation | None = op("s", _none)
    """A 64-bit key of all that the rest of the stage depends on, equal for positions of equal value: the key of the
    transposition table. -1 if storing does not pay. Default: -1."""
    worth: Operation | None = op("s, final", _own_score)
    """What a final score of this stage is worth to the seat to act, in the units of its returns; it must increase with
    the seat's own advantage. Default: the score itself, negated for side 1."""
    cards_left: Operation | None = op("s", _many)
    """How many cards are still to be played in this stage, from public fields alone."""
    solvable: Operation | None = op("s", _zero)
    """With how many cards left a position is solved in milliseconds. Default: never."""
    curtail: Operation | None = op("s, step", _no)
    """Caps repetition in games that could cycle, so that the search terminates; a larger `step` is a looser cap.
    Returns whether it capped anything. A non-zero value found under a cap must also be the true value; a zero makes the
    solver try again with a looser cap."""

    @property
    def has_sides(self) -> bool:
        """Whether two sides play for one score; else each seat plays for itself."""
        return self.score is not None


@dataclass(frozen=True)
class Belief(Part):
    """What weighs drawn worlds by how the other seats have acted."""

    rewind: Operation = op("s, past, rng", absent=_no_past)
    """Takes a full state back to an earlier point of its stage and writes the actions since then into `past`; returns
    their number, 0 if it cannot. What others held earlier and does not follow from the present is drawn by `rng`."""
    card_weights: Edge | None = edge("template")
    """Where hidden cards tend to lie: returns a function (view, seat) -> weights for guided sampling."""


@dataclass(frozen=True)
class Moves(Part):
    """Encoders whose rows rate a move instead of showing a state (`Encoder.moves`)."""

    observe_move: Operation = op("s, me, a, which, out")
    """Writes the input of a net that rates action `a` of seat `me`, all of `out`. With -1 for the action it writes
    composed encoders that rate nothing."""
    prepares: Operation | None = op("s, a", _no)
    """Whether `a` only prepares a move of the same seat (closing the stock, say), and is rated by the moves after it.
    Default: no."""
    compose: Edge | None = edge("codes, name")
    """Encoders composed from their names: the number and the `Encoder` for given option codes, or None."""


@dataclass(frozen=True)
class Deals(Part):
    """All deals, listed, for exact work on small games."""

    deal_count: Operation = op("s")
    """The number of equally likely deals; 0 if they are not listed under these options."""
    deal_nth: Operation = op("s, k")
    """Sets up deal number `k`, counted from 0."""


@dataclass(frozen=True)
class Argument:
    """The numeric argument of a bot in a spec string."""

    name: str
    doc: str
    default: int | float
    low: float
    high: float


@dataclass(frozen=True)
class Bot:
    """A compiled player by name, beside `rule`."""

    name: str
    doc: str
    argument: Argument | None = None


@dataclass(frozen=True)
class Bots(Part):
    """Compiled players that come with the game."""

    rule: Operation | None = op("s, rng", _no_move)
    """The move of the rule-based player on the view of the seat to act: agent `rule`, the playouts of searches, the
    default opponent. It must be legal."""
    others: tuple[Bot, ...] = ()
    """Further players, each an agent of its name."""
    play_other: Operation | None = op("s, which, argument, rng", _no_other)
    """The move of player number `which` of `others`, with the value of its argument (0 if it has none)."""


@dataclass(frozen=True)
class Text(Part):
    """The game as text: names are stable ids, used in transcripts and spec strings."""

    action_name: Edge = edge("s, a", required=True)
    """The name of an action in this state; for every action id, so that errors can name illegal ones too."""
    piles: Edge = edge("s", required=True)
    """Every card of the pack by where it lies: {"hand 0": [...], "hand 1": [...], "played": [...]}. A view lacks the
    cards that it cannot see. The terminal and the page draw a game from this alone if nothing better is given."""
    card_name: Edge | None = edge("card")
    """The name of a card of the sampler, for games whose action ids do not name cards in every phase."""
    describe: Edge | None = edge("s, a")
    """What an action means here as a `Fact`, which the game's words turn into text (`Fact("bid", count=3)`). Default:
    `Fact("play", card=...)` for the name of a card in `faces`, else a fact by the action's name."""
    show: Edge | None = edge("s, me, mask, words")
    """The position as text with [colour] marks, from seat `me` (None: all cards open), in the language of `words`.
    Default: from `piles`."""
    news: Edge | None = edge("before, after, me")
    """What happened between two positions that follow each other, as a list of `Fact`."""
    context: Edge | None = edge("s")
    """What all seats know beside the cards, as text: groups the printed strategies of small games."""
    faces: Mapping[str, Face] = field(default_factory=dict)
    """What stands on each card, by its code. Default: the codes themselves are shown."""


@dataclass(frozen=True)
class Page(Part):
    """How the page draws a view, if what is derived from `piles` is not enough."""

    pack: str
    """Whose pictures the cards have: the name of a pack that the page can draw."""
    view: Edge = edge("s, me", required=True)
    """What is drawn beside the hands: counts, trick, last_trick, taken_by, trump, ask, dealer, scores, rows ... (the
    wire format in docs/serving.md), with ids and facts in place of words. All of it must be known to seat `me`."""


@dataclass(frozen=True)
class Records(Part):
    """Deals as JSON, and recordings of other engines."""

    start: Edge | None = edge("s")
    """A fresh deal as JSON. Default: all fields of the record."""
    setup: Edge | None = edge("s, start")
    """Sets up the deal that `start` wrote, or one typed by hand; refuses what is no deal."""
    recording: Edge | None = edge("record, make")
    """A record of another engine as a `stich.core.transcript.Recording`."""
    values: Edge | None = edge("state, names")
    """Our values of what else was recorded of a decision, by name."""
    trace: Edge | None = edge("path")
    """Our results from the states that were passed through."""
    redeal: Edge | None = edge("s, deal")
    """Puts the recorded cards of a later deal in place of those that our engine dealt."""
    give_turn: Edge | None = edge("s, seat")
    """Gives the turn to another seat that could act, as the recording has it."""


deal = operation(Rules, "deal")
player = operation(Rules, "player")
legal = operation(Rules, "legal")
apply = operation(Rules, "apply")
is_over = operation(Rules, "is_over")
returns = operation(Rules, "returns")
hide = operation(Rules, "hide")
owners = operation(Rules, "owners")
fill = operation(Rules, "fill")
observe = operation(Rules, "observe")
key = operation(Rules, "key")
secret = operation(Rules, "secret")
phase = operation(Phases, "phase")
measure = operation(Measures, "measure")
stage = operation(Stages, "stage")
standing = operation(Stages, "standing")
stakes = operation(Stages, "stakes")
last_stage = operation(Stages, "last_stage")
side = operation(Exact, "side")
score = operation(Exact, "score")
reach = operation(Exact, "reach")
order = operation(Exact, "order")
distinct = operation(Exact, "distinct")
position = operation(Exact, "position")
worth = operation(Exact, "worth")
cards_left = operation(Exact, "cards_left")
solvable = operation(Exact, "solvable")
curtail = operation(Exact, "curtail")
rewind = operation(Belief, "rewind")
observe_move = operation(Moves, "observe_move")
prepares = operation(Moves, "prepares")
deal_count = operation(Deals, "deal_count")
deal_nth = operation(Deals, "deal_nth")
rule = operation(Bots, "rule")
play_other = operation(Bots, "play_other")
