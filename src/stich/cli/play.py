"""`stich play`: a table in the terminal, for a person or, with JSON lines, for a program."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from stich.cli.arguments import GameName, Json, Options, options_of
from stich.cli.output import console, print_line, readable
from stich.core.errors import StichError
from stich.core.facts import Fact
from stich.core.words import ENGLISH, Words, languages, over, plain, read

if TYPE_CHECKING:
    from stich.core.game import State
    from stich.core.transcript import Transcript
    from stich.core.types import Action, Seat

FRAME = Path(__file__).with_name("words")

app = typer.Typer()


@app.command()
def play(
    game: GameName = "jass",
    seat: Annotated[int | None, typer.Option(help="Your seat; default: the game's choice, mostly 0.")] = None,
    bots: Annotated[str | None, typer.Option(help="The agent of the other seats; default: rule.")] = None,
    seed: Annotated[int | None, typer.Option(help="Deal from this seed instead of a random one.")] = None,
    option: Options = None,
    save: Annotated[Path | None, typer.Option(help="Write the game's transcript to this file.")] = None,
    pause: Annotated[float, typer.Option(min=0, max=10, help="Seconds to wait after each bot's move.")] = 0.0,
    language: Annotated[str | None, typer.Option(help="en, de, ...; default: the system's language.")] = None,
    json: Json = False,
) -> None:
    """Play a game in the terminal against bots."""
    import secrets

    from stich.agents import default_agent, make_agent
    from stich.core.rng import stream
    from stich.core.transcript import Transcript, write
    from stich.core.types import Seat
    from stich.games import make

    made = make(game, **options_of(option))
    seat = made.spec.home_seat if seat is None else seat
    if not 0 <= seat < made.seats:
        raise StichError(f"there is no seat {seat}; {made.name} has seats 0 to {made.seats - 1}")
    seed = secrets.randbits(32) if seed is None else seed
    agent = default_agent(made) if bots is None else make_agent(bots, made)
    rngs = [stream(seed, "seat", i) for i in range(made.seats)]
    transcript = Transcript(made.new(seed))
    words = made.words(chosen_language(language))
    guest: Person | Program = Program() if json else Person(pause, words)
    own = Seat(seat)
    guest.begin(transcript.state, own, seed)
    try:
        _play_out(transcript, guest, own, lambda state: agent.act(agent.sees(state), rngs[state.player]))
        guest.end(transcript.state, own)
    except Quit:
        sys.stderr.write(f"{frame(words.language)['left']}\n")
    if save:
        write(save, [transcript.record()])


def _play_out(
    transcript: "Transcript", guest: "Person | Program", seat: "Seat", bot: "Callable[[State], Action]"
) -> None:
    """Plays to the end; a person is not asked where there is no choice."""
    state = transcript.state
    while not state.is_over:
        player = state.player
        view = state.view(player)
        forced = view.mask & view.mask - 1 == 0
        own = view.action_ids()[0] if forced else None
        action = bot(state) if player != seat else guest.choose(view) if own is None else own
        _play(transcript, guest, seat, player, action)


class Quit(Exception):  # noqa: N818 (no error, the player's wish)
    """The player has left the table."""


class Move(NamedTuple):
    """A move as a seat sees it: name and fact are None where it is secret."""

    player: "Seat"
    name: str | None
    fact: Fact | None


class Person:
    """A person at the terminal."""

    def __init__(self, pause: float, words: Words) -> None:
        self.screen, self.pause, self.words = console(), pause, words
        self.frame = frame(words.language)

    def say(self, text: str) -> None:
        """A line or more on the screen."""
        self.screen.print(readable(text))

    def begin(self, state: "State", seat: "Seat", seed: int) -> None:
        """The greeting."""
        title = self.words.title or state.game.spec.title
        welcome = self.frame["welcome"].format(name=self.words.seat(seat), seed=seed)
        self.say(f"[bold]{title}[/] ({state.game.name}). {welcome}")

    def moved(self, view: "State", move: Move, news: list[Fact]) -> None:
        """Another seat's move, and what came of any move."""
        if move.player != view.seat:
            what = self.words.action(move.fact) if move.fact else self.frame["secret"]
            self.say(f"  {self.words.seat(move.player)}: {what}")
        for fact in news:
            self.say(f"  {self.words.fact(fact, view.seat)}")
        time.sleep(self.pause if move.player != view.seat else 0)

    def choose(self, view: "State") -> "Action":
        """Shows the table and asks until a legal move comes."""
        self._table(view)
        while True:
            answer = self._read()
            if answer == "?":
                self._table(view)
                continue
            try:
                return _chosen(view, answer, self.words.language)
            except StichError as error:
                self.say(f"[red]{error}[/]")

    def end(self, state: "State", seat: "Seat") -> None:
        """The result."""
        returns = state.returns()
        self.say(f"\n{state.view(seat).show(self.words.language)}")
        results = ", ".join(f"{self.words.seat(i)} {value:g}" for i, value in enumerate(returns))
        self.say(f"[bold]{self.frame['over']}[/] {self.frame['results']}: {results}")

    def _table(self, view: "State") -> None:
        self.say(f"\n{view.show(self.words.language)}\n")
        labels = [view.label(action, self.words.language) for action in view.action_ids()]
        moves = [
            # A move that is itself a number, like a bid, gets no other one.
            label if name.isdigit() else f"[bold]{i}[/] {label}"
            for i, (label, name) in enumerate(zip(labels, view.legal_actions(), strict=True), 1)
        ]
        self.say(f"{self.frame['your_move']}: " + "   ".join(moves))

    def _read(self) -> str:
        try:
            answer = self.screen.input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            raise Quit from None
        if answer.lower() in ("q", "quit", "exit"):
            raise Quit
        return answer


class Program:
    """A program that reads and writes JSON lines."""

    def begin(self, state: "State", seat: "Seat", seed: int) -> None:
        """The first line."""
        print_line(
            {
                "event": "begin",
                "game": state.game.name,
                "options": state.game.options,
                "seat": seat,
                "seed": seed,
            }
        )

    def moved(self, view: "State", move: Move, news: list[Fact]) -> None:
        """A line for each move of any seat; a secret one has no action."""
        told = [fact.json() for fact in news]
        print_line({"event": "move", "player": move.player, "action": move.name, "news": told})

    def choose(self, view: "State") -> "Action":
        """A line with what the seat knows; then a move is read, and read again where it was not legal."""
        while True:
            print_line(
                {"event": "choose", "player": view.player, "legal": view.legal_actions(), "table": str(view)}
            )
            line = sys.stdin.readline()
            if not line or line.strip() == "q":
                raise Quit
            try:
                return _chosen(view, line.strip())
            except StichError as error:
                print_line({"event": "refused", "reason": str(error)})

    def end(self, state: "State", seat: "Seat") -> None:
        """The last line."""
        print_line({"event": "end", "returns": state.returns()})


def _play(
    transcript: "Transcript", guest: Person | Program, seat: "Seat", player: "Seat", action: "Action"
) -> None:
    """Plays a move and tells the guest what their seat may know of it."""
    state = transcript.state
    hidden = state.is_secret and player != seat
    known = (None, None) if hidden else (state.action_name(action), state.describe(action))
    before = state.view(seat).array
    transcript.play(action)
    view = state.view(seat)
    guest.moved(view, Move(player, *known), view.news(before))


def _chosen(view: "State", answer: str, language: str = ENGLISH) -> "Action":
    """The move that an answer names: its number in the list, its name, or what is shown for it."""
    moves = view.action_ids()
    names = [name.lower() for name in view.legal_actions()]
    if answer.isdigit() and answer not in names and 1 <= int(answer) <= len(moves):
        return moves[int(answer) - 1]
    labels = [plain(view.label(action, language)).lower() for action in moves]
    if answer.lower() in labels and answer.lower() not in names:
        return moves[labels.index(answer.lower())]
    return view.action_id(answer)


def frame(language: str) -> dict[str, str]:
    """The words around a game."""
    return over(read(FRAME / f"{language}.toml"), read(FRAME / f"{ENGLISH}.toml"))


def chosen_language(wanted: str | None) -> str:
    """The language asked for, else that of the environment if there are words for it, else English."""
    known = languages()
    if wanted is None:
        system = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
        return system[:2] if system[:2] in known else ENGLISH
    if wanted not in known:
        raise StichError(f"there are no words in {wanted!r}; there are {', '.join(known)}")
    return wanted
