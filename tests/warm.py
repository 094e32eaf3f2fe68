"""What every bot would load with its first question, loaded once before bots are forked."""

from bot.words import lexicon_of
from retrieval.language import language_of
from retrieval.redaction import Redactor


def warm() -> None:
    """Load it now: 2 s for each bot, on a busy machine more."""
    language_of("Which language is this sentence written in?")
    Redactor().redact("Call +49 30 901820 or write to pat@example.com")
    lexicon_of("Which language is this?")
