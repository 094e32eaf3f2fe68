"""The chat model over the Anthropic Messages API, Anthropic's own or a server on the customer's network."""
