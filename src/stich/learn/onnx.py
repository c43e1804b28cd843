"""Models as ONNX files, one a net, each compared with torch before it counts as written."""

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch

from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.files import write_whole
from stich.learn.torch_nets import mlp

OPSET = 17
TOLERANCE = 1e-4
"""The greatest difference from torch, as a share of the greatest output."""


def export_onnx(path: Path, card: Mapping[str, Any], tensors: Mapping[str, Array]) -> list[tuple[Path, float]]:
    """Writes PATH.netN.onnx for each net of a model; returns the files, each with its difference from torch."""
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError:
        raise StichError("ONNX files need more packages: pip install 'stich[learn]'") from None
    written = []
    for net in range(card["nets"]):
        own = {name.partition(".")[2]: array for name, array in tensors.items() if name.startswith(f"net{net}.")}
        content = build(card, own)
        difference = compare(card, own, content)
        if difference > TOLERANCE:
            raise StichError(f"net {net} as ONNX differs from torch by {difference:.1g} of its output")
        file = path.with_name(f"{path.name}.net{net}.onnx")
        write_whole(file, content)
        written.append((file, difference))
    return written


def build(card: Mapping[str, Any], tensors: Mapping[str, Array]) -> bytes:
    """One net as an ONNX graph: rows of real-valued observations (and seats) in, a value for each action out."""
    from onnx import TensorProto, checker, helper, numpy_helper

    sizes, kind = card["layers"], {"relu": "Relu", "tanh": "Tanh"}[card["activation"]]
    nodes, name = [], "observation"
    for layer in range(len(sizes) - 1):
        last = layer == len(sizes) - 2
        made = "values" if last else f"sum{layer}"
        nodes.append(helper.make_node("Gemm", [name, f"{layer}.weight", f"{layer}.bias"], [made], transB=1))
        if not last:
            name = f"hidden{layer}"
            nodes.append(helper.make_node(kind, [made], [name]))
    graph = helper.make_graph(
        nodes,
        "stich",
        [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["rows", sizes[0]])],
        [helper.make_tensor_value_info("values", TensorProto.FLOAT, ["rows", sizes[-1]])],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in tensors.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    helper.set_model_props(model, {"card": json.dumps(card)})
    checker.check_model(model)
    return bytes(model.SerializeToString())


def compare(card: Mapping[str, Any], tensors: Mapping[str, Array], content: bytes) -> float:
    """The greatest difference between ONNX Runtime and torch on random inputs, as a share of the greatest output."""
    import onnxruntime

    sizes = card["layers"]
    module = mlp(tuple(sizes), card["activation"])
    with torch.inference_mode():
        for parameter, array in zip(module.parameters(), _in_order(sizes, tensors), strict=True):
            parameter.copy_(torch.from_numpy(np.ascontiguousarray(array)))
        inputs = np.random.default_rng(0).random((256, sizes[0]), np.float32).round(1)
        ours = module(torch.from_numpy(inputs)).numpy()
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    theirs = session.run(None, {"observation": inputs})[0]
    return float(np.abs(ours - theirs).max() / max(1e-9, np.abs(ours).max()))


def _in_order(sizes: list[int], tensors: Mapping[str, Array]) -> list[Array]:
    """The arrays in the order of a module's parameters."""
    layers = range(len(list(pairwise(sizes))))
    return [tensors[f"{layer}.{kind}"] for layer in layers for kind in ("weight", "bias")]
