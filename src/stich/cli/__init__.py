"""The command `stich`. Heavy modules load inside the commands, so that help starts at once."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from stich.cli.arguments import GameName, Json, Options, Plot, Ray, Seed, Workers, options_of
from stich.cli.learning import app as learning

app = typer.Typer(
    help="Card games with hidden cards: play, simulate, replay and measure them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def games(json: Json = False) -> None:
    """List all games and variants with their options."""
    from stich.cli.lists import list_games

    list_games(json)


@app.command()
def rules(
    game: GameName,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page's source.")] = False,
    json: Json = False,
) -> None:
    """Show the page of a game: rules, options, actions, observations."""
    from stich.cli.pages import show_page

    show_page(game, markdown, json)


@app.command()
def play(
    game: GameName = "jass",
    seat: Annotated[int | None, typer.Option(help="Your seat; 0 unless the game says otherwise.")] = None,
    bots: Annotated[str | None, typer.Option(help="The agent of the other seats; rule unless given.")] = None,
    seed: Annotated[int | None, typer.Option(help="Deal from this seed instead of a random one.")] = None,
    option: Options = None,
    save: Annotated[Path | None, typer.Option(help="Write the game's transcript to this file.")] = None,
    pause: Annotated[float, typer.Option(min=0, max=10, help="Seconds to wait after each bot's move.")] = 0.0,
    language: Annotated[str | None, typer.Option(help="en, de, ...; default: the system's language.")] = None,
    json: Json = False,
) -> None:
    """Play a game in the terminal against bots."""
    from stich.cli.table import play_game

    play_game(game, options_of(option), seat, bots, seed, save, pause, json, language)


@app.command()
def sim(
    game: GameName,
    rounds: Annotated[int, typer.Option(min=1, help="How many games to play.")] = 1_000_000,
    seed: Seed = 0,
    option: Options = None,
    json: Json = False,
) -> None:
    """Play at random: speed, and mean results with 95 % intervals."""
    from stich.cli.sim import simulate

    simulate(game, options_of(option), rounds, seed, json)


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Recordings, plain or gzip.")],
    json: Json = False,
) -> None:
    """Replay recorded games and compare every step; exits 1 on a mismatch, 2 on a file that is none."""
    from stich.cli.replay import replay_files

    replay_files(files, json)


@app.command()
def bench(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Only these games.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Exit 1 where a budget is missed.")] = False,
    json: Json = False,
) -> None:
    """Measure speed against the budgets, and sign each game's behaviour."""
    from stich.cli.bench import run_bench

    run_bench(game or [], check, json)


@app.command()
def analyse(
    document: Annotated[str, typer.Argument(help="A document, by the name of its game: cego, wizard.")],
    what: Annotated[
        str,
        typer.Argument(
            help="cego: trick-wins, high-low, advantages, deals, or tables for all; wizard: accuracy, winning."
        ),
    ],
    games: Annotated[int, typer.Option(min=1000, help="How many games each simulation plays.")] = 1_000_000,
    seed: Seed = 12,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the figure into this file.")] = None,
    json: Json = False,
) -> None:
    """Compute a document's tables again, and set its figures beside ours."""
    from stich.cli.analyse import analyse_document

    analyse_document(document, what, games, seed, plot, json)


@app.command()
def solve(
    game: GameName,
    algorithm: Annotated[str, typer.Option(help="cfr, cfr+, linear, dcfr, external or outcome.")] = "cfr+",
    iterations: Annotated[int, typer.Option(min=1, help="How many iterations to run.")] = 10_000,
    seed: Seed = 0,
    option: Options = None,
    save: Annotated[Path | None, typer.Option(help="Write the strategy; solved(FILE) plays it.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the curve into this file.")] = None,
    json: Json = False,
) -> None:
    """Solve a small game: an equilibrium, how far it is from exact, and what it plays."""
    from stich.cli.solve import solve_game

    solve_game(game, options_of(option), algorithm, iterations, seed, save, plot, json)


@app.command()
def agents(game: GameName, option: Options = None, json: Json = False) -> None:
    """List the agents that can play a game, with their arguments."""
    from stich.cli.lists import list_agents

    list_agents(game, options_of(option), json)


Policy = Annotated[str, typer.Option(help="A faulty move: play a `random` one, or also `lose` the game.")]
Limit = Annotated[float, typer.Option(min=0, help="Seconds for a move of a foreign agent; 0: no limit.")]


@app.command()
def match(
    game: GameName,
    agent: Annotated[list[str] | None, typer.Argument(metavar="[AGENT]...", help="The agents, by spec.")] = None,
    seats: Annotated[str | None, typer.Option(metavar="A,B,...", help="A fixed line-up, seat by seat.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games to play, at most.")] = 10_000,
    seed: Seed = 0,
    option: Options = None,
    until: Annotated[
        str | None, typer.Option(help="`significant`: stop when it is decided who is better.")
    ] = None,
    error: Annotated[float, typer.Option(help="The error rate of --until significant.")] = 0.05,
    margin: Annotated[
        float, typer.Option(min=0, help="With --until: differences up to this count as none.")
    ] = 0.0,
    workers: Workers = None,
    ray: Ray = None,
    faults: Policy = "random",
    limit: Limit = 60.0,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the result into this file.")] = None,
    json: Json = False,
) -> None:
    """Play agents against each other on equal deals; exits 1 where an agent was at fault."""
    from stich.arena.match import Stop
    from stich.cli.match import play_match, split_agents

    play_match(
        game,
        options_of(option),
        split_agents(agent or [], seats),
        fixed=seats is not None,
        games=games,
        seed=seed,
        workers=workers,
        ray=ray,
        stop=Stop.of(until, error, margin),
        policy=faults,
        limit=limit,
        plot=plot,
        json=json,
    )


@app.command()
def reproduce(
    name: Annotated[str | None, typer.Argument(help="An experiment; all are listed unless one is named.")] = None,
    full: Annotated[bool, typer.Option("--full", help="The document's sizes: hours or days.")] = False,
    games: Annotated[int, typer.Option(min=0, help="Games for each row; 0: the experiment's own number.")] = 0,
    opponent: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Another opponent, where there is one.")
    ] = None,
    recorded: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="Keep recorded games in this file, or take them from it."),
    ] = None,
    models: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Take models from here: GAME/ALGORITHM, or runs.")
    ] = None,
    runs: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A run of `stich train`, or a folder of them.")
    ] = None,
    seed: Seed = 0,
    workers: Workers = None,
    ray: Ray = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the figure into this file.")] = None,
    json: Json = False,
) -> None:
    """Run an experiment of a document again, its figures beside ours; exits 1 where a model is missing."""
    from stich.cli.reproduce import list_reproductions, run_reproduction

    if name is None:
        list_reproductions(json)
        return
    run_reproduction(
        name,
        full=full,
        games=games,
        opponent=opponent,
        file=recorded,
        models=models,
        runs=runs,
        seed=seed,
        workers=workers,
        ray=ray,
        plot=plot,
        json=json,
    )


study = typer.Typer(help="Study what agents do: as table, picture or JSON.", no_args_is_help=True)
app.add_typer(study, name="study")

Games = Annotated[int, typer.Option(min=1, help="How many games to play.")]
LineUp = Annotated[str | None, typer.Option(metavar="A,B,...", help="The agents seat by seat, or one for all.")]


@study.command("cards")
def study_cards(
    game: GameName,
    seats: LineUp = None,
    seat: Annotated[int, typer.Option(help="The seat that is studied.")] = 0,
    phase: Annotated[
        str | None, typer.Option(help="Count these phases' decisions (A,B or `all`); the last unless given.")
    ] = None,
    games: Games = 10_000,
    seed: Seed = 0,
    option: Options = None,
    workers: Workers = None,
    ray: Ray = None,
    limit: Limit = 60.0,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Which cards a seat plays when: each action's share of games, decision by decision."""
    from stich.arena.study import plan_study
    from stich.cli.study import Run, cards

    plan = plan_study(game, options_of(option), seats=listed(seats), seed=seed, limit=limit)
    cards(plan, seat, phase, Run(games, workers, ray, plot, json))


@study.command("positions")
def study_positions(
    game: GameName,
    agents: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Agents who take turns at the seats; one plays all.")
    ] = None,
    seats: LineUp = None,
    games: Games = 10_000,
    seed: Seed = 0,
    option: Options = None,
    workers: Workers = None,
    ray: Ray = None,
    limit: Limit = 60.0,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """How agents fare by position: who acts first, second, ... in a game."""
    from stich.arena.study import plan_study
    from stich.cli.study import Run, positions

    plan = plan_study(game, options_of(option), seats=listed(seats), agents=listed(agents), seed=seed, limit=limit)
    positions(plan, Run(games, workers, ray, plot, json))


@study.command("position")
def study_position(
    game: GameName,
    agent: Annotated[str | None, typer.Option(help="The agent; unless given rule, else random.")] = None,
    start: Annotated[Path | None, typer.Option(metavar="FILE.json", help="The deal, as `State.start()`.")] = None,
    moves: Annotated[str, typer.Option(metavar="'A B ...'", help="What is played before.")] = "",
    samples: Annotated[int, typer.Option(min=1, help="How often the agent is asked.")] = 1_000,
    seed: Seed = 0,
    option: Options = None,
    limit: Limit = 60.0,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """What an agent does in one position: the share of each legal action."""
    from stich.cli.study import position

    position(game, options_of(option), agent, start, moves, samples, seed, limit, plot, json)


@app.command("analyse-position")
def analyse_position(
    game: GameName,
    position: Annotated[
        Path | None, typer.Argument(metavar="[FILE.json]", help="The deal, as `State.start()`; else by --seed.")
    ] = None,
    moves: Annotated[str, typer.Option(metavar="'A B ...'", help="What is played before.")] = "",
    agent: Annotated[
        str, typer.Option(help="A search: mc, dmcts, tdmcts, ismcts, ... with its arguments.")
    ] = "dmcts",
    seed: Seed = 0,
    option: Options = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """What a search finds in one position: value, interval and visits of each legal action."""
    from stich.cli.position import analyse_position

    analyse_position(game, options_of(option), position, moves, agent, seed, plot, json)


def listed(specs: str | None) -> list[str]:
    """The agents of a list."""
    from stich.agents import split

    return split(specs) if specs else []


@app.command()
def tournament(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament, or the folder of a run.")],
    run: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where results are kept; runs/NAME unless given.")
    ] = None,
    workers: Workers = None,
    ray: Ray = None,
    show: Annotated[bool, typer.Option("--show", help="Show what a folder holds; play nothing.")] = False,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the ratings into this file.")] = None,
    json: Json = False,
) -> None:
    """Let many agents meet in many games, and rate them; goes on where it was stopped."""
    from stich.cli.tournament import run_tournament

    run_tournament(file, run, workers, ray, plot, show, json)


@app.command()
def serve(
    config: Annotated[Path | None, typer.Option(metavar="FILE.toml", help="Settings from a file.")] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on; 127.0.0.1 unless given.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on; 8000 unless given.")] = None,
    database: Annotated[str | None, typer.Option(metavar="URL", help="Where tables are kept.")] = None,
    threads: Annotated[int | None, typer.Option(help="Threads in which agents think.")] = None,
    log: Annotated[str | None, typer.Option(help="debug, info, warning or error.")] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any setting of docs/serving.md.")
    ] = None,
    open_page: Annotated[
        bool,
        typer.Option(
            "--open", help="Open the page where there is a display; on another port where this one is taken."
        ),
    ] = False,
) -> None:
    """Serve the page, tables, predictions and bots; settings also come from STICH_SERVE_... and a file."""
    from stich.cli.serve import serve

    given = {"host": host, "port": port, "database": database, "threads": threads, "log": log}
    flags = {name: value for name, value in given.items() if value is not None}
    serve(config, {**options_of(setting), **flags}, open_page)


app.add_typer(learning)


def main() -> None:
    """Runs the command line; bad input ends in one line and exit code 2."""
    from stich.core.errors import StichError

    try:
        app()
    except StichError as error:
        sys.stderr.write(f"stich: {error}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.stderr.write("\nstich: stopped\n")
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
