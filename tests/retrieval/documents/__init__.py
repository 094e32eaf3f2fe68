"""Mirror of `retrieval/documents`."""
