"""Mirror of `retrieval/search`."""
