"""The commands of learning: `stich train`, `tune`, `resume`, `runs`, `export`."""

from pathlib import Path
from typing import Annotated

import typer

from stich.cli.arguments import GameName, Json, Options, Plot, Seed, options_of

app = typer.Typer()


@app.command()
def train(
    algorithm: Annotated[str, typer.Argument(help="dmc, dqn or nfsp.")],
    game: Annotated[str | None, typer.Argument(help="A game or variant, as listed by `stich games`.")] = None,
    preset: Annotated[
        str, typer.Option(help="Named settings: shipped, document or quick, or a file of `stich tune`.")
    ] = "shipped",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a setting.")
    ] = None,
    option: Options = None,
    run: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the run is kept; under runs/ unless given.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the settings; train nothing.")] = False,
    json: Json = False,
) -> None:
    """Train a model by self-play; `stich resume` goes on where it was stopped."""
    from stich.cli.train import list_settings, run_training
    from stich.core.errors import StichError

    if listed:
        list_settings(algorithm, json)
    elif game is None:
        raise StichError("name a game to learn, as in: stich train dmc cego.solo")
    else:
        run_training(algorithm, game, options_of(option), preset, options_of(settings), run, json)


@app.command()
def tune(
    algorithm: Annotated[str, typer.Argument(help="dmc, dqn or nfsp.")],
    game: GameName,
    trials: Annotated[int, typer.Option(min=1, help="How many settings to try in all.")] = 20,
    method: Annotated[
        str, typer.Option(help="random, as document 000, or tpe: guided, and bad ones end early.")
    ] = "",
    space: Annotated[str, typer.Option(help="What to choose from: document or wide.")] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Fix a setting.")
    ] = None,
    option: Options = None,
    compare: Annotated[
        str,
        typer.Option(metavar="NAME=A,B", help="Trials take these values of an option in turn: reward=win,points."),
    ] = "",
    against: Annotated[str, typer.Option(help="Who plays the other seats when models are measured.")] = "random",
    games: Annotated[
        int, typer.Option(min=1, help="Games of each of five seeds that a model is measured in.")
    ] = 1000,
    seed: Seed = 12,
    workers: Annotated[int, typer.Option(min=1, help="How many trials are trained at a time.")] = 1,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Train on the Ray cluster there.")] = None,
    run: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where it is kept; goes on with what is there.")
    ] = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Search for the settings of an algorithm; killed and started again it goes on with what is done."""
    from stich.cli.tune import make_search, run_tuning

    search = make_search(
        algorithm, game, options_of(option), method, space, options_of(settings), seed, against, games, compare
    )
    run_tuning(search, run, trials, workers, ray, plot, json)


RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


@app.command()
def resume(run: RunFolder, json: Json = False) -> None:
    """Go on with a run of `stich train`; it ends as if it had never been stopped."""
    from stich.cli.train import resume_training

    resume_training(run, json)


@app.command()
def runs(
    folder: Annotated[Path, typer.Argument(help="Where to look.")] = Path("runs"),
    json: Json = False,
) -> None:
    """List the runs of `stich train` with their standing."""
    from stich.cli.train import list_runs

    list_runs(folder, json)


@app.command()
def export(
    run: RunFolder,
    to: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write PATH.safetensors; RUN/model unless given.")
    ] = None,
    half: Annotated[bool, typer.Option("--half", help="Store weights in 16 bits: half the size.")] = False,
    onnx: Annotated[bool, typer.Option("--onnx", help="Write ONNX files too, compared with torch.")] = False,
    json: Json = False,
) -> None:
    """Write the model of a run as it stands: for the agent model(...), and as ONNX."""
    from stich.cli.train import export_run

    export_run(run, to, half, onnx, json)
