# The server `stich serve` with PostgreSQL support; tables in SQLite lie in the volume /data.
FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --disable-pip-version-check -c constraints.txt ".[serve,postgres]"

FROM python:3.11-slim-bookworm
RUN useradd --create-home --uid 10001 stich \
    && mkdir /data /cache \
    && chown stich:stich /data /cache
COPY --from=build /venv /venv
USER 10001
WORKDIR /data
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    STICH_CACHE_DIR=/cache \
    STICH_SERVE_HOST=0.0.0.0 \
    STICH_SERVE_DATABASE=sqlite:////data/stich.db
VOLUME ["/data", "/cache"]
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
STOPSIGNAL SIGTERM
CMD ["stich", "serve"]
