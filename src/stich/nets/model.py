"""Trained models: a safetensors file with a card in JSON beside it, and nets that run compiled, without torch.

A card names the game with its options, the version and signature of its rules, the encoder, the nets and the hash of
the weights. What does not fit is refused.
"""

import hashlib
import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stich.core.contract import Array, Int, Record
from stich.core.errors import StichError
from stich.core.files import write_whole
from stich.core.game import NO_RESULTS, NO_RNGS, Game
from stich.core.jit import compiled, kernel
from stich.core.kernels import advance_all, new_turns
from stich.nets.inputs import Inputs, best_action, drawn_action, write_input

FORMAT = "stich model 1"
SHIPPED = Path(__file__).parents[1] / "models"


class Nets(NamedTuple):
    """Nets as the kernel reads them."""

    factors: Array
    """What each number of an observation is multiplied by."""
    net_of: Array
    """The net of each seat."""
    sizes: Array
    """Of all layers, input and output included."""
    weights: Array
    """Of all nets, one after the other: of each layer its weights, input by input, then its biases."""
    starts: Array
    """The first weight of each net."""
    tanh: Int
    """1 for tanh between layers, 0 for ReLU."""


class Work(NamedTuple):
    """The work arrays of a net: two rows of values in turn, a third for the inputs that are not zero, their places."""

    rows: Array
    places: Array


@compiled
def some_inputs(given: Array, places: Array, amounts: Array) -> Int:
    """Lists the inputs that are not zero, padded with zeros to a multiple of four; returns their number."""
    count = 0
    for i in range(len(given)):
        places[count] = i
        amounts[count] = given[i]
        count += given[i] != 0.0
    while count & 3:
        places[count] = 0
        amounts[count] = 0.0
        count += 1
    return count


@compiled
def run_layers(nets: Nets, net: Int, work: Work) -> Int:
    """Runs a net on the first row; returns the row that holds its output. Inputs of zero cost nothing."""
    sizes, weights, rows, places = nets.sizes, nets.weights, work.rows, work.places
    at = nets.starts[net]
    here = 0
    for layer in range(len(sizes) - 1):
        wide, out = sizes[layer], sizes[layer + 1]
        made, x = rows[1 - here], rows[2]
        bias = at + wide * out
        for j in range(out):
            made[j] = weights[bias + j]
        count = some_inputs(rows[here, :wide], places, x)
        for k in range(0, count, 4):  # four rows at a time: the sums are loaded and stored less often
            x0, x1, x2, x3 = x[k], x[k + 1], x[k + 2], x[k + 3]
            row0 = weights[at + places[k] * out : bias]
            row1 = weights[at + places[k + 1] * out : bias]
            row2 = weights[at + places[k + 2] * out : bias]
            row3 = weights[at + places[k + 3] * out : bias]
            for j in range(out):
                made[j] += x0 * row0[j] + x1 * row1[j] + x2 * row2[j] + x3 * row3[j]
        if layer < len(sizes) - 2:
            for j in range(out):
                made[j] = np.tanh(made[j]) if nets.tanh else max(made[j], np.float32(0.0))
        at = bias + out
        here = 1 - here
    return here


@kernel
def rate_rows(raw: Array, seats: Array, nets: Nets, work: Work, out: Array) -> None:
    """The outputs for each observation, of the net of its seat."""
    for i in range(len(raw)):
        write_input(raw[i], nets.factors, seats[i], work.rows[0, : nets.sizes[0]])
        row = run_layers(nets, nets.net_of[seats[i]], work)
        for j in range(out.shape[1]):
            out[i, j] = work.rows[row, j]


@kernel
def choose_rows(values: Array, masks: Array, draws: Int, rngs: Array, out: Array) -> None:
    """The legal action of the greatest value in each row; or one drawn by the softmax."""
    for i in range(len(values)):
        rng: Record = rngs[i]
        out[i] = drawn_action(masks[i], values[i], rng) if draws else best_action(masks[i], values[i])


class Model:
    """Nets that are ready to play a game."""

    def __init__(self, game: Game, card: Mapping[str, Any], tensors: Mapping[str, Array]) -> None:
        """Lays the weights out input by input, as the kernel reads them."""
        self.game, self.card = game, card
        self.inputs = Inputs(card["encoder"]["name"], card["seat_input"])
        sizes = np.array(card["layers"])
        parts: list[Array] = []
        for net in range(card["nets"]):
            for layer in range(len(sizes) - 1):
                parts += [tensors[f"net{net}.{layer}.{kind}"].T.ravel() for kind in ("weight", "bias")]
        weights = np.concatenate(parts).astype(np.float32)
        self.nets = Nets(
            factors=self.inputs.factors(game),
            net_of=np.array(card["net_of_seats"]),
            sizes=sizes,
            weights=weights,
            starts=np.arange(card["nets"]) * (len(weights) // card["nets"]),
            tanh=int(card["activation"] == "tanh"),
        )

    def rate(self, raw: Array, seats: Array) -> Array:
        """The outputs for observations as the encoder writes them; each row's outputs depend on it alone."""
        sizes = self.nets.sizes
        out = np.empty((len(raw), sizes[-1]), np.float32)
        room = sizes.max() + 3
        work = Work(np.empty((3, room), np.float32), np.empty(room, np.int64))
        rate_rows(raw, seats, self.nets, work, out)
        return out

    def choose(self, views: Array, rngs: Array, seat: int = -1) -> Array:
        """An action for each view; if a seat is given, by its net, whoever is to act."""
        outputs, masks = self._outputs(views, seat)
        actions = np.empty(len(views), np.int64)
        choose_rows(outputs, masks, int(self.card["chooses"] == "policy"), rngs, actions)
        return actions

    def values(self, view: Array, seat: int = -1) -> Array | None:
        """The estimated value of each action of one view, in the units of the game; None for a policy net.

        A net that was trained with a baseline estimates the gain over random play, not the result itself.
        """
        if self.card["chooses"] == "policy":
            return None
        values: Array = self._outputs(view, seat)[0][0].astype(np.float64)
        config, (low, high) = self.card["training"]["config"], self.game.bounds
        if config.get("targets") == "unit":
            values = values * (high - low) + (0.0 if config.get("baseline") else low)
        return values

    def _outputs(self, views: Array, seat: int) -> tuple[Array, Array]:
        """The outputs of the nets for each view, and what is legal in it."""
        count = len(views)
        seats, masks, _ = turns = new_turns(count)
        advance_all(views, np.full(count, -1), NO_RNGS, NO_RESULTS, turns)
        which, encoder = self.game.encoder(self.inputs.encoder, moves=False)
        raw = np.zeros((count, encoder.size), encoder.dtype)
        self.game.observe_all(views, seats, np.int64(which), raw)
        if seat >= 0:
            seats[:] = seat
        return self.rate(raw, seats), masks


def describe(game: Game, inputs: Inputs, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The card of a model: what it fits, then further facts."""
    encoder = game.encoder(inputs.encoder, moves=False)[1]
    return {
        "format": FORMAT,
        "game": game.name,
        "options": game.options,
        "rules_version": game.spec.rules_version,
        "signature": game.signature(encoder=encoder.name),
        "encoder": {"name": encoder.name, "version": encoder.version, "size": encoder.size},
        "seat_input": inputs.seat,
        **facts,
    }


def save_model(path: Path, card: Mapping[str, Any], tensors: Mapping[str, Array]) -> None:
    """Writes PATH.safetensors and PATH.json; the card comes last and holds the hash of the weights."""
    from safetensors.numpy import save

    content = save({name: np.ascontiguousarray(array) for name, array in tensors.items()})
    signed = {**card, "sha256": hashlib.sha256(content).hexdigest()}
    write_whole(path.with_name(f"{path.name}.safetensors"), content)
    write_whole(path.with_name(f"{path.name}.json"), json.dumps(signed, indent=1, ensure_ascii=False) + "\n")


def find_model(name: str) -> Path:
    """Where a model lies, without the endings: one that comes with Stich, a file, or the folder of a run."""
    plain = Path(name.removesuffix(".safetensors").removesuffix(".json"))
    for path in (SHIPPED / plain, plain, plain / "model"):
        if path.with_name(f"{path.name}.json").is_file():
            return path
    known = ", ".join(shipped_models()) or "none"
    raise StichError(f"there is no model {name!r}: name a model's file, a run that has one, or one of {known}")


def shipped_models() -> list[str]:
    """The names of the models that come with Stich, as cego.solo/dmc."""
    return sorted(path.relative_to(SHIPPED).with_suffix("").as_posix() for path in SHIPPED.rglob("*.json"))


def shipped_settings(algorithm: str, game: str) -> dict[str, Any]:
    """The settings with which the model that comes with Stich was trained; none where there is no such model."""
    name = f"{game}/{algorithm}"
    if name not in shipped_models():
        return {}
    card = json.loads((SHIPPED / f"{name}.json").read_text("utf-8"))
    return dict(card["training"]["config"])


def load_model(name: str, game: Game, any_options: bool = False) -> Model:
    """The model of this name or place, which must fit the game."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    path = find_model(name)
    try:
        card = json.loads(path.with_name(f"{path.name}.json").read_text("utf-8"))
        content = path.with_name(f"{path.name}.safetensors").read_bytes()
    except (OSError, ValueError) as error:
        raise StichError(f"the model {path} cannot be read: {error}") from None
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise StichError(f"{path}.json is not the card of a model of this version ({FORMAT})")
    try:
        if hashlib.sha256(content).hexdigest() != card["sha256"]:
            raise StichError(f"the weights {path}.safetensors are not those that its card was written for")
        _check_fit(path, card, game, any_options)
        tensors = load(content)
        _check_shapes(path, card, tensors, game)
        return Model(game, card, tensors)
    except (KeyError, TypeError, ValueError, SafetensorError) as error:
        raise StichError(f"the model {path} is damaged: {error!r}") from None


def _check_fit(path: Path, card: Mapping[str, Any], game: Game, any_options: bool) -> None:
    """Refuses a model of another game, other rules or another encoder."""
    variants = {variant.name: variant for variant in game.spec.variants}
    if card["game"] not in variants:
        raise StichError(f"the model {path} is for {card['game']}, not for {game.name}")
    if set(card["options"]) != set(game.options):
        wrong = ", ".join(sorted(set(card["options"]) ^ set(game.options)))
        raise StichError(f"the model {path} was made when {game.spec.name} had other options: {wrong}")
    differ = [
        f"{name}={card['options'][name]}"
        for name, value in game.options.items()
        if card["options"][name] != value and name not in game.spec.deal_filter
    ]
    if differ and not any_options:
        raise StichError(f"the model {path} is for {card['game']} with {', '.join(differ)}, not for {game!r}")
    found = game.encoder(card["encoder"]["name"], moves=False)[1]
    trained = Game(game.family, variants[card["game"]], card["options"])
    pairs = [
        ("version of the rules", card["rules_version"], game.spec.rules_version),
        (f"version of the encoder {found.name}", card["encoder"]["version"], found.version),
        (f"size of the encoder {found.name}", card["encoder"]["size"], found.size),
        ("signature", card["signature"], trained.signature(encoder=found.name)),
    ]
    for what, old, new in pairs:
        if old != new:
            raise StichError(f"the model {path} is for other rules of {game.name}: {what} {old}, now {new}")


def _check_shapes(path: Path, card: Mapping[str, Any], tensors: Mapping[str, Array], game: Game) -> None:
    """Refuses weights that are not those of the card's nets, since compiled code would not notice."""
    inputs, sizes = Inputs(card["encoder"]["name"], card["seat_input"]), card["layers"]
    wanted: dict[str, tuple[int, ...]] = {}
    for net in range(card["nets"]):
        for layer, (wide, out) in enumerate(pairwise(sizes)):
            wanted |= {f"net{net}.{layer}.weight": (out, wide), f"net{net}.{layer}.bias": (out,)}
    fits = {name: array.shape for name, array in tensors.items()} == wanted
    fits &= sizes[0] == inputs.width(game) and sizes[-1] == game.spec.actions
    fits &= len(card["net_of_seats"]) == game.seats and set(card["net_of_seats"]) <= set(range(card["nets"]))
    if not fits:
        raise StichError(f"the weights of the model {path} do not have the shapes that its card names")
