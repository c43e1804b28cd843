"""The application: all routes, errors, health and metrics, and what starts and stops with it."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.middleware.gzip import GZipMiddleware

import stich
from stich.core.errors import StichError
from stich.serve import lobby, predict, protocols, socket, tables_api, words
from stich.serve.config import Settings
from stich.serve.limits import LOG, JsonLines, Limits, Metrics
from stich.serve.predict import Judge
from stich.serve.static import add_page
from stich.serve.store import Store
from stich.serve.tables import ForbiddenError, Tables, UnknownError, error_id
from stich.serve.thinking import FullError, Thinkers

STATUS: dict[type[Exception], int] = {UnknownError: 404, ForbiddenError: 403, FullError: 503}


def create_app(settings: Settings) -> FastAPI:
    """The server as an ASGI application."""
    metrics, thinkers, store = Metrics(), Thinkers(settings), Store(settings.database)
    tables, judge = Tables(store, thinkers, metrics), Judge(settings)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        LOG.info("start", extra={"facts": {"version": stich.__version__}})
        await tables.start()
        sweeper = asyncio.create_task(tables.sweep())
        app.state.ready = True
        yield
        app.state.ready = False
        sweeper.cancel()
        await tables.close()
        await asyncio.to_thread(judge.close)
        await asyncio.to_thread(thinkers.close)
        await asyncio.to_thread(store.close)
        LOG.info("stop")

    app = FastAPI(
        title="Stich",
        version=stich.__version__,
        description="Card games with hidden cards: predictions, bots and live tables.",
        docs_url="/api/v1/docs",
        openapi_url="/api/v1/openapi.json",
        redoc_url=None,
        lifespan=life,
    )
    app.state.tables, app.state.thinkers, app.state.metrics, app.state.ready = tables, thinkers, metrics, False
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    app.add_middleware(Limits, settings=settings, metrics=metrics)
    app.add_exception_handler(StichError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(SQLAlchemyError, _no_store)
    _add_inner(app)
    for routes in protocols.routers(thinkers):
        app.include_router(routes)
    app.include_router(lobby.router(thinkers))
    app.include_router(words.router(thinkers))
    app.include_router(predict.router(thinkers, judge))
    app.include_router(tables_api.router(tables))
    app.include_router(socket.router(tables))
    add_page(app)
    return app


def _add_inner(app: FastAPI) -> None:
    """What the operator asks."""

    @app.get("/health", tags=["server"])
    async def health() -> dict[str, str]:
        """Whether the process answers."""
        return {"status": "ok", "version": stich.__version__}

    @app.get("/ready", tags=["server"], responses={503: {"description": "starting or stopping"}})
    async def ready() -> JSONResponse:
        """Whether requests are welcome: not while starting and stopping."""
        good = bool(app.state.ready)
        return JSONResponse({"ready": good}, 200 if good else 503)

    @app.get("/metrics", tags=["server"], response_class=PlainTextResponse)
    async def metrics() -> str:
        """Figures for Prometheus."""
        tables = app.state.tables
        gauges = {"thinking": float(app.state.thinkers.waiting), "tables_loaded": float(len(tables.loaded))}
        gauges["tables_unfinished"] = float(tables.unfinished)
        return str(app.state.metrics.text(gauges))

    @app.get("/docs", include_in_schema=False)
    def docs() -> RedirectResponse:
        return RedirectResponse("/api/v1/docs", 307)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"detail": str(error), "error": error_id(error)}, STATUS.get(type(error), 400))


async def _no_store(request: Request, error: Exception) -> JSONResponse:
    LOG.error("store", extra={"facts": {"path": request.url.path, "error": str(error)[:300]}})
    return JSONResponse({"detail": "the database does not answer: try again"}, 503)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    """What does not fit the OpenAPI document; the input is not repeated, it may be large."""
    assert isinstance(error, RequestValidationError)
    found: list[dict[str, Any]] = [
        {"loc": list(entry["loc"]), "msg": entry["msg"], "type": entry["type"]} for entry in error.errors()
    ]
    return JSONResponse({"detail": found}, 422)


def set_up_logs(level: str) -> None:
    """One JSON object a line on standard error, for the server's own events and uvicorn's."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("stich.serve", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = ([handler] if name != "uvicorn.error" else []), name == "uvicorn.error"
        logger.setLevel(level.upper())
    logging.getLogger("uvicorn.access").disabled = True
