"""The Python face of a game: a `Game` is a variant with its options, a `State` one position of it."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

from stich.core import kernels
from stich.core.bits import set_bits
from stich.core.contract import Array, Int, Record
from stich.core.errors import StichError
from stich.core.facts import Fact
from stich.core.families import MARK, Family
from stich.core.plain import Plain
from stich.core.rng import RNG, stream
from stich.core.sampler import Sampler
from stich.core.spec import Encoder, Spec, Variant
from stich.core.types import Action, Mask, Seat
from stich.core.words import ENGLISH, Words, over, own, plain

NO_RNGS = np.zeros(0, RNG)
NO_RESULTS = np.zeros((0, 0))


class Game:
    """One variant of a game with its options set: makes states."""

    def __init__(self, family: Family, variant: Variant, options: Mapping[str, object]) -> None:
        """Options left out keep the variant's value, then the game's default."""
        self.family = family
        self.variant = variant
        self.spec: Spec = family.spec
        self.codes = {option.name: option.code(option.default) for option in self.spec.options}
        for name, value in {**variant.options, **options}.items():
            self.codes[name] = self.spec.option(name).code(value)
        self.template = np.zeros(1, family.state)
        for name, code in self.codes.items():
            self.template[name] = code
        if self.spec.check_options:
            self.spec.check_options(self.codes)
        self.encoders = self.spec.encoders_for(self.codes)
        self.teams = self.spec.teams_for(self.codes)
        self._words: dict[str, Words] = {}

    @property
    def name(self) -> str:
        """The variant's name."""
        return self.variant.name

    @property
    def options(self) -> dict[str, str | int]:
        """Every option with its readable value."""
        return {name: self.spec.option(name).value(code) for name, code in self.codes.items()}

    @property
    def seats(self) -> int:
        """How many play: the option `players` where a game has it."""
        return int(self.codes.get("players", self.spec.seats))

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest return of a seat."""
        return self.spec.bounds(self.codes)

    @functools.cached_property
    def cards(self) -> tuple[str, ...]:
        """The codes of all cards: those with faces, else what some deals have, since `piles` may leave cards out."""
        if self.spec.text.faces:
            return tuple(self.spec.text.faces)
        dealt = [pile for seed in range(20) for pile in self.new(seed).piles().values()]
        return tuple(dict.fromkeys(card for pile in dealt for card in pile))

    def words(self, language: str = ENGLISH) -> Words:
        """The game's words in a language."""
        if language not in self._words:
            sources = [Path(str(module.__file__)) for module in self.family.sources]
            tables = functools.reduce(over, (own(source, language) for source in sources))
            self._words[language] = Words(language, tables, self.spec.text.faces)
        return self._words[language]

    def encoder(self, name: str | None = None, moves: bool | None = None) -> tuple[int, Encoder]:
        """The encoder of this name with its number in `observe`; None stands for the first.

        A game may compose encoders from their names by a function `compose(codes, name)`. With `moves` given the
        encoder must be one that rates moves, or one that shows states.
        """
        which, encoder = self._find_encoder(name)
        if moves is not None and encoder.moves != moves:
            kinds = {True: "rates moves (State.move_inputs)", False: "shows states (State.observation)"}
            raise StichError(
                f"the encoder {encoder.name} {kinds[encoder.moves]}; wanted is one that {kinds[moves]}"
            )
        return which, encoder

    def observe_all(self, states: Array, seats: Array, which: Int, out: Array) -> None:
        """Writes the observation of its seat for each state by an encoder's number, fixed or composed."""
        (kernels.observe_all if which < len(self.encoders) else kernels.compose_all)(states, seats, which, out)

    def _find_encoder(self, name: str | None) -> tuple[int, Encoder]:
        for which, encoder in enumerate(self.encoders):
            if name is None or encoder.name == name:
                return which, encoder
        compose = self.spec.moves.compose if self.spec.moves else None
        found = compose(self.codes, name) if compose and name else None
        if found:
            return int(found[0]), found[1]
        names = ", ".join(encoder.name for encoder in self.encoders)
        raise StichError(f"{self.name} has no encoder {name!r}; it has {names or 'none'}")

    def signature(self, games: int = 50, encoder: str | None = None) -> str:
        """A hash over everything that fixed-seed random play shows, the same on every machine.

        With an encoder named, its observations alone are part of it: others may come and go (a composed one's are not).
        """
        name = encoder and self.encoder(encoder)[1].name
        chosen = [(which, one) for which, one in enumerate(self.encoders) if encoder is None or one.name == name]
        widest = max((one.size for _, one in chosen), default=0)
        code = kernels.signature(
            self.template.copy(),
            games,
            stream(20261115, "signature"),
            np.array([which for which, _ in chosen], np.int64),
            np.zeros((len(chosen), widest)),
            np.zeros(self.seats),
        )
        return f"{code & (1 << 64) - 1:016x}"

    def new(self, seed: int = 0) -> "State":
        """A fresh game; the same seed gives the same deal."""
        array = self.template.copy()
        kernels.deal_all(array, stream(seed, "deals"))
        return State(self, array)

    def state(self, array: Array, seat: int | None = None) -> "State":
        """A state around an array of one record, which it then owns."""
        return State(self, array, seat)

    def setup(self, start: Mapping[str, Any]) -> "State":
        """A state at a given start, in the form that `State.start` gives."""
        array = self.template.copy()
        custom = self.spec.records.setup if self.spec.records else None
        (custom or _setup_fields)(array[0], start)
        return State(self, array)

    def restore(self, fields: Mapping[str, Any], seat: int | None = None) -> "State":
        """The state (or the view of a seat) that `State.fields` has given."""
        array = self.template.copy()
        _setup_fields(array[0], fields)
        return State(self, array, seat)

    def __repr__(self) -> str:
        changed = {name: value for name, value in self.options.items() if value != self.spec.option(name).default}
        return " ".join([self.name, *(f"{name}={value}" for name, value in changed.items())])


class State:
    """One position; with a `seat` it is that seat's view, which holds nothing the seat cannot know."""

    def __init__(self, game: Game, array: Array, seat: int | None = None) -> None:
        self.game, self.array = game, array
        self.seat = None if seat is None else Seat(seat)
        self._turn: kernels.Turns | None = None

    @property
    def record(self) -> Record:
        """The record itself."""
        record: Record = self.array[0]
        return record

    @property
    def player(self) -> Seat:
        """The seat to act."""
        return Seat(int(self._look().players[0]))

    @property
    def mask(self) -> Mask:
        """The mask of legal actions, 0 at the end; a view knows it only for its own seat."""
        return Mask(int(self._look().masks[0]))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._look().over[0])

    def action_ids(self) -> list[Action]:
        """The ids of the legal actions."""
        return cast("list[Action]", set_bits(self.mask))

    def legal_actions(self) -> list[str]:
        """The names of the legal actions."""
        return [self.action_name(action) for action in self.action_ids()]

    def action_name(self, action: int) -> str:
        """The name of an action here."""
        return str(self.game.spec.text.action_name(self.record, action))

    def describe(self, action: int) -> Fact:
        """What an action means here."""
        custom = self.game.spec.text.describe
        if custom:
            return custom(self.record, action)  # type: ignore[no-any-return]
        name = self.action_name(action)
        return Fact("play", card=name) if name in self.game.cards else Fact(name)

    def label(self, action: int, language: str = ENGLISH) -> str:
        """An action as a person reads it, with [colour] marks."""
        return self.game.words(language).action(self.describe(action), self.seat)

    @property
    def is_secret(self) -> bool:
        """Whether only the seat to act will know what it does now."""
        secret = self.game.spec.rules.secret
        return bool(secret(Plain(self.record))) if secret else False

    def action_id(self, action: str | int) -> Action:
        """The id of a legal action given by name (in any case) or id; raises with what was legal."""
        if isinstance(action, str):
            for candidate in self.action_ids():
                if self.action_name(candidate).lower() == action.strip().lower():
                    return candidate
        elif 0 <= action < 63 and self.mask >> int(action) & 1:
            return Action(int(action))
        raise StichError(self.refusal(action))

    def refusal(self, action: str | int) -> str:
        """Why an action cannot be played: what is legal instead."""
        if self.is_over:
            return "the game is over"
        name = action if isinstance(action, str) else f"action {action}"
        return f"{name} is not legal for seat {self.player}; legal: {', '.join(self.legal_actions())}"

    def play(self, action: str | int) -> "State":
        """Plays a legal action, given by name or id, and returns the state itself."""
        return self.force(self.action_id(action))

    def force(self, action: int) -> "State":
        """Plays an action without asking whether it is legal; -1 plays none, after the array was changed by hand."""
        turn = self._turn or kernels.new_turns(1)
        kernels.advance_all(self.array, np.array([action]), NO_RNGS, NO_RESULTS, turn)
        self._turn = turn
        return self

    def _look(self) -> kernels.Turns:
        """Who acts, what is legal and whether the game is over, found at the first use."""
        return self._turn or self.force(-1)._look()

    def returns(self) -> list[float]:
        """Each seat's result at the end."""
        if not self.is_over:
            raise StichError("the game is not over, so there are no returns yet")
        out = np.zeros((1, self.game.seats))
        kernels.returns_all(self.array, out)
        return [float(value) for value in out[0]]

    def view(self, seat: int) -> "State":
        """What a seat knows of this position."""
        if not 0 <= seat < self.game.seats:
            raise StichError(f"there is no seat {seat}; seats are 0 to {self.game.seats - 1}")
        array = self.array.copy()
        kernels.hide_all(array, np.array([seat]))
        return State(self.game, array, seat)

    def copy(self) -> "State":
        """The same position on its own."""
        return State(self.game, self.array.copy(), self.seat)

    def observation(self, seat: int | None = None, encoder: str | None = None) -> Array:
        """The numbers that a net sees, in the encoder's shape, for a seat (by default the one to act)."""
        which, coder = self.game.encoder(encoder, moves=False)
        seats = np.array([self._own(seat)])
        out = np.zeros((1, coder.size), coder.dtype)
        self.game.observe_all(self.array, seats, np.int64(which), out)
        return coder.scaled(out[0]).reshape(coder.shape)

    def move_inputs(self, encoder: str) -> tuple[list[Action], Array]:
        """What to do for each move of the seat to act, and the rows by which a net rates these moves.

        An action stands more than once where it prepares several moves.
        """
        inputs = MoveInputs(self.game, encoder)
        inputs.write(self.array)
        return inputs.actions.tolist(), inputs.encoder.scaled(inputs.rows)

    def key(self, seat: int | None = None) -> int:
        """The 64-bit key of what a seat knows (by default the seat to act)."""
        out = np.zeros(1, np.int64)
        kernels.key_all(self.array, np.array([self._own(seat)]), out)
        return int(out[0])

    def sampler(self, weights: Array | None = None) -> Sampler:
        """The sampler of full states that agree with this view."""
        if self.seat is None:
            raise StichError("only a view has hidden cards to draw: take state.view(seat) first")
        return Sampler(self.array, self.seat, weights)

    def start(self) -> dict[str, Any]:
        """This position as JSON, in the form that `Game.setup` takes."""
        custom = self.game.spec.records.start if self.game.spec.records else None
        return dict((custom or _start_fields)(self.record))

    def fields(self) -> dict[str, Any]:
        """The record's fields as plain numbers and lists; `Game.restore` takes them back."""
        return _start_fields(self.record)

    def piles(self) -> dict[str, list[str]]:
        """Every card by where it lies; a view lacks those it cannot see."""
        return dict(self.game.spec.text.piles(self.record))

    def show(self, language: str = ENGLISH) -> str:
        """The position as text with [colour] marks, seen from the view's seat, else with all cards open."""
        custom = self.game.spec.text.show
        words = self.game.words(language)
        return str(custom(self.record, self.seat, self.mask, words)) if custom else self._piles(words)

    def news(self, before: Array) -> list[Fact]:
        """What happened since an earlier array of this position."""
        custom = self.game.spec.text.news
        return list(custom(before[0], self.record, self.seat)) if custom else []

    def pile_sizes(self) -> dict[str, int]:
        """How many cards each pile has; a view knows that of the piles that it cannot see, too."""
        full = self if self.seat is None else State(self.game, self.sampler().draw(stream(0, "sizes"), 1))
        return {name: len(cards) for name, cards in full.piles().items()}

    def _piles(self, words: Words) -> str:
        """The piles, for games that have no text form of their own: seen cards by name, others by their number."""
        head = f"[bold]{words.title or self.game.spec.title}[/]"
        if not self.is_over:
            head += f", {words.line('to_act', self.seat, seat=self.player)}"
        sizes = self.pile_sizes()
        playable = {self.action_name(action) for action in self.action_ids()}
        lines = [head, ""]
        for name, cards in self.piles().items():
            stars = playable if name == f"hand {self.player}" else set()
            shown = [f"{'[bold]*[/]' if card in stars else ''}{words.card(card)}" for card in cards]
            hidden = sizes[name] - len(cards)
            more = [words.line("hidden", count=hidden)] if hidden > 0 else []
            lines.append(f"{words.pile(name):<12}{'  '.join([*shown, *more]) or '-'}")
        return "\n".join(lines)

    def _own(self, seat: int | None) -> Seat:
        return self.player if seat is None else Seat(seat)

    def __str__(self) -> str:
        return plain(self.show())

    def __repr__(self) -> str:
        return f"<{self.game!r}, {'over' if self.is_over else f'seat {self.player} to act'}>"


class MoveInputs:
    """The rows by which a net rates the moves in many states (`kernels.moves_all`), in arrays that are reused.

    After `write`, rows starts[i] to starts[i + 1] - 1 belong to state i: `rows` holds them as written
    (`encoder.scaled` gives the real values), `moves` what each rates and `actions` what to do now for it.
    """

    def __init__(self, game: Game, encoder: str) -> None:
        which, self.encoder = game.encoder(encoder, moves=True)
        self.which = np.int64(which)
        self._make_room(16)

    def _make_room(self, count: int) -> None:
        self._rows = np.zeros((count, self.encoder.size), self.encoder.dtype)
        self._actions, self._moves = np.zeros((2, count), np.int64)

    def write(self, states: Array) -> None:
        """Writes the rows of all states; finished ones have none."""
        self.starts = np.zeros(len(states) + 1, np.int64)
        while True:
            arrays = self._actions, self._moves, self._rows
            count = kernels.moves_all(states, self.which, self.starts, *arrays)
            self.actions, self.moves, self.rows = (array[:count] for array in arrays)
            if count <= len(self._rows):
                return
            self._make_room(count + count // 4)


def _plain(value: Any) -> Any:
    """A field's value as plain Python numbers and lists."""
    if getattr(value, "dtype", None) is not None and value.dtype.names:
        return [_plain(value[name]) for name in value.dtype.names]
    return value.tolist()


def _start_fields(record: Record) -> dict[str, Any]:
    """Every field of a record."""
    return {name: _plain(record[name]) for name in record.dtype.names if not name.startswith(MARK)}


def _setup_fields(record: Record, start: Mapping[str, Any]) -> None:
    """Writes fields back; unknown ones are refused."""
    for name, value in start.items():
        if name not in (record.dtype.names or ()):
            raise StichError(f"unknown field {name!r} in a start position")
        record[name] = tuple(value) if record.dtype[name].names else value
