"""What phrases of the tables stand in a text."""

import pytest

from retrieval.validation.words import Table, scopes, signals, topics


@pytest.mark.parametrize("table", [topics(), scopes(), signals()], ids=["topics", "scopes", "signals"])
def test_every_phrase_is_found_wherever_it_stands(table: Table) -> None:
    """A phrase is found at both ends of a text, behind other words and within longer ones; half of it is not."""
    for phrase, name in table.phrases:
        first = phrase.split(" ")[0]
        assert name in set(table.in_text(phrase))
        assert name in set(table.in_text(f" (so {phrase}s)"))
        assert name in set(table.in_text(f"x{phrase}"))
        assert name not in set(table.in_text(f"{first} . {phrase[len(first) + 1 :]}".replace(phrase, "")))
