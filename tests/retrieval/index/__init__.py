"""Mirror of `retrieval/index`."""
