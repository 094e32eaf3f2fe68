"""The two listeners, the HTTP API and what guards them."""
