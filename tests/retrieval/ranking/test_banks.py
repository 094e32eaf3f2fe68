"""The bundled banks: eleven languages, the same mixture in each, every text once."""

from collections import Counter

from retrieval.ranking.banks import bundled_banks

LANGUAGES = {"en", "uk", "ru", "de", "fr", "es", "pl", "pt", "zh", "ja", "ar"}
# Translated later and with fewer texts.
FEWER = {"ar"}


def test_languages_are_balanced() -> None:
    """Each language has the same mixture of both banks, most as many texts: the means stand for the same kind of text."""
    banks = bundled_banks()
    ordinary, off_topic = (
        Counter(banks.languages[: len(banks.ordinary)]),
        Counter(banks.languages[len(banks.ordinary) :]),
    )
    for counts in (ordinary, off_topic):
        assert set(counts) == LANGUAGES
        full = [count for code, count in counts.items() if code not in FEWER]
        assert max(full) <= 1.1 * min(full)
    mixtures = [ordinary[code] / off_topic[code] for code in LANGUAGES]
    assert max(mixtures) <= 1.1 * min(mixtures)


def test_texts_are_distinct_and_few() -> None:
    """No text stands twice, in one bank or in both; 1 600 at most, since every new index embeds them twice."""
    banks = bundled_banks()
    texts = [text.casefold() for text in (*banks.ordinary, *banks.off_topic)]
    assert len(set(texts)) == len(texts) == len(banks.languages)
    assert 1_000 < len(texts) <= 1_600


def test_what_any_desk_is_asked_stands_apart() -> None:
    """Prices, refunds and how to reach support, as many in each language, none of them also an off-topic text."""
    banks = bundled_banks()
    assert len(banks.desk) % len(LANGUAGES) == 0
    assert not {text.casefold() for text in banks.desk} & {text.casefold() for text in banks.off_topic}
