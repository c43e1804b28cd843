"""`stich export`: the model of a run as it stands."""

import json as jsons
from pathlib import Path
from typing import Annotated, Any

import typer

from stich.cli.arguments import Json, RunFolder
from stich.cli.output import console, print_json
from stich.cli.train import learning

app = typer.Typer()


@app.command()
def export(
    run: RunFolder,
    to: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write PATH.safetensors; default: RUN/model.")
    ] = None,
    half: Annotated[bool, typer.Option("--half", help="Store weights in 16 bits: half the size.")] = False,
    onnx: Annotated[bool, typer.Option("--onnx", help="Write ONNX files too, compared with torch.")] = False,
    json: Json = False,
) -> None:
    """Write the model of a run as it stands: for the agent model(...), and as ONNX."""
    import numpy as np

    from stich.learn.run_folder import MODEL

    runs = learning()
    setup, learner, standing = runs.load_run(run)
    path = to or run / MODEL
    path.parent.mkdir(parents=True, exist_ok=True)
    runs.write_model(setup, learner, standing, path, np.float16 if half else np.float32)
    written = [{"file": f"{path}.safetensors"}, {"file": f"{path}.json"}, *(_write_onnx(path) if onnx else [])]
    if json:
        print_json({"run": str(run), "written": written})
        return
    for entry in written:
        check = f" (differs from torch by {entry['difference_from_torch']:.1g})" if len(entry) > 1 else ""
        console().print(f"written: {entry['file']}{check}", markup=False)


def _write_onnx(path: Path) -> list[dict[str, Any]]:
    """Writes ONNX files beside a model."""
    import numpy as np
    from safetensors.numpy import load_file

    from stich.learn.onnx import export_onnx

    card = jsons.loads(path.with_name(f"{path.name}.json").read_text("utf-8"))
    tensors = {name: array.astype(np.float32) for name, array in load_file(f"{path}.safetensors").items()}
    found = export_onnx(path, card, tensors)
    return [{"file": str(file), "difference_from_torch": difference} for file, difference in found]
