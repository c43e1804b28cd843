"""The page: plain files of the package, sent with headers that let the browser load nothing from elsewhere."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER = Path(__file__).parent / "page"
HEADERS = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",  # the browser keeps the files and asks whether they are still the same
}


class Files(StaticFiles):
    """The files with these headers."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """One file."""
        found = await super().get_response(path, scope)
        found.headers.update(HEADERS)
        return found


def add_page(app: FastAPI) -> None:
    """The page at `/`, what it consists of under `/page`."""

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(FOLDER / "index.html", headers=HEADERS)

    app.mount("/page", Files(directory=FOLDER))
