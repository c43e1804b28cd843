"""The wire format: every JSON answer of lobby and tables, and every message of a table's WebSocket.

What the server sends are typed dictionaries: mypy checks the code that builds them, and sending them costs nothing
more; tests validate the messages of whole games against them with pydantic, unknown keys forbidden. What it receives
over HTTP are pydantic models, validated each time. `python -m stich.serve.wire` writes the same as types for the page
to `page/net/types.js`.
"""
