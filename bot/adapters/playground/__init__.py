"""The playground: a page that looks like a support channel and shows why each answer is what it is."""

from bot.adapters.playground.routes import Channel, PlaygroundAccess, build_playground

__all__ = ["Channel", "PlaygroundAccess", "build_playground"]
