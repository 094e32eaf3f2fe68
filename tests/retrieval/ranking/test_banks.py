"""The bundled banks: ten languages in equal parts, every text once."""

from collections import Counter

from retrieval.ranking.banks import bundled_banks

LANGUAGES = {"en", "uk", "ru", "de", "fr", "es", "pl", "pt", "zh", "ja"}


def test_languages_are_balanced() -> None:
    """Each language has nearly as many texts as any other: the language means stand for the same kind of text."""
    banks = bundled_banks()
    ordinary, off_topic = (
        Counter(banks.languages[: len(banks.ordinary)]),
        Counter(banks.languages[len(banks.ordinary) :]),
    )
    for counts in (ordinary, off_topic):
        assert set(counts) == LANGUAGES
        assert max(counts.values()) <= 1.1 * min(counts.values())


def test_texts_are_distinct_and_few() -> None:
    """No text stands twice, in one bank or in both; 1 500 at most, since every new index embeds them twice."""
    banks = bundled_banks()
    texts = [text.casefold() for text in (*banks.ordinary, *banks.off_topic)]
    assert len(set(texts)) == len(texts) == len(banks.languages)
    assert 1_000 < len(texts) <= 1_500


def test_what_any_desk_is_asked_stands_apart() -> None:
    """Prices, refunds and how to reach support, as many in each language, none of them also an off-topic text."""
    banks = bundled_banks()
    assert len(banks.desk) % len(LANGUAGES) == 0
    assert not {text.casefold() for text in banks.desk} & {text.casefold() for text in banks.off_topic}
