"""`stich serve`: protocols of other engines, predictions and live tables over HTTP and WebSocket (docs/serving.md)."""
