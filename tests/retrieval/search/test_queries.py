"""Claims of `retrieval.search.queries`."""

from retrieval.search.queries import prepare_queries, query_languages
from tests.retrieval.indexes import ENCODER


def test_queries_are_stemmed_by_their_own_language_and_english() -> None:
    """An unknown language takes the first of the index; a language that the index lacks is left out."""
    assert query_languages("uk", ("de", "en", "uk")) == ("uk", "en")
    assert query_languages("fr", ("de", "en")) == ("en",)
    assert query_languages("", ("de", "en", "uk")) == ("en", "de", "uk")
    assert query_languages("fr", ("de",)) == ("",)


def test_repeated_and_blank_queries_are_asked_once() -> None:
    """The same text twice is one query."""
    assert [query.text for query in prepare_queries(["a b", " a b ", "", "…"], ENCODER, ("en",))] == ["a b"]
