"""Everything that speaks to a vendor: platforms, model, Redis, web."""
