"""The bot under faults: real Redis, loopback Slack and model, processes that are killed."""
