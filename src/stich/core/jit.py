"""The two decorators of compiled code: `@compiled` for functions inside kernels, `@kernel` for entry points."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.extending import register_jitable

from stich.core.cache import KernelCache

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """A function that kernels can call; called from Python it runs as plain Python.

    Without `forceinline=False` it would inherit from `apply` and `legal` that it must be inlined, with all it
    calls. A wrapper for C that nobody calls would cost a tenth of the compile time.
    """
    return register_jitable(forceinline=False, no_cfunc_wrapper=True)(function)  # type: ignore[no-any-return]


def kernel(function: F) -> F:
    """A function compiled per game at its first call, without the GIL, and kept on disk.

    If a game's own function cannot be compiled, the error is one line that names it (`stich.core.diagnosis`).
    """
    dispatcher = njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    dispatcher._cache = KernelCache(function)
    dispatcher._compile_for_args = _explaining(dispatcher._compile_for_args)
    return dispatcher  # type: ignore[no-any-return]


def _explaining(compile_for: Callable[..., Any]) -> Callable[..., Any]:
    """What Numba calls for new types of arguments, with errors that a game is to blame for in its own terms."""

    def compile_or_explain(*arguments: Any, **named: Any) -> Any:
        try:
            return compile_for(*arguments, **named)
        except Exception as error:
            from stich.core.diagnosis import explain

            if explained := explain(arguments):
                raise explained from None
            raise error

    return compile_or_explain
