"""The lead's page: what contradicts, ages, repeats or lacks in the knowledge base, and what to do about it."""

from bot.adapters.lead_page.routes import build_lead_page

__all__ = ["build_lead_page"]
