"""The command `stich`: each file here owns a command.

Help must start at once: a command's file imports only Typer, Rich and what is light, and the rest inside its functions.
"""

import sys

import typer

from stich.cli import (
    agents,
    bench,
    check,
    export,
    games,
    learners,
    match,
    old,
    paper,
    play,
    position,
    replay,
    rules,
    runs,
    serve,
    sim,
    solve,
    study,
    tournament,
    train,
    tune,
)
from stich.core.errors import StichError

app = typer.Typer(
    help="Card games with hidden cards: play, simulate, replay and measure them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = (games, rules, play, serve, sim, check, replay, agents, match, tournament, study, position, solve)
LEARNING = (learners, train, tune, runs, export, paper, bench, old)
for command in COMMANDS + LEARNING:
    app.add_typer(command.app)


def main() -> None:
    """Runs the command line; bad input ends in one line and exit code 2."""
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
