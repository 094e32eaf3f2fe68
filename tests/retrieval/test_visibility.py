"""Labels act inside the search: over random channels and documents nothing is found, named or opened that may not be seen."""

import random

import pytest

from bot.questions.access import Place, Places
from retrieval.retriever import Retriever
from tests.retrieval.indexes import article, retriever_over

LABELS = ("public", "internal", "billing", "leads", "ops", "legal")
DOCUMENTS, CHANNELS = 60, 200


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Retriever, dict[str, frozenset[str]]]:
    """Give an index of documents that all match one query, with random labels, and those labels."""
    chance = random.Random(7)
    labels = {f"kb-{n}": tuple(chance.sample(LABELS, chance.randint(1, 3))) for n in range(DOCUMENTS)}
    documents = [
        article(
            name, f"Refunds of kind marker{name[3:]} are made within {n} days.", title=f"Refunds {n}", visibility=seen
        )
        for n, (name, seen) in enumerate(labels.items())
    ]
    retriever = retriever_over(tmp_path_factory.mktemp("labelled"), documents)
    return retriever, {name: frozenset(seen) for name, seen in labels.items()}


def test_no_pair_of_channel_and_document_leaks(labelled: tuple[Retriever, dict[str, frozenset[str]]]) -> None:
    """12 000 random pairs: what a channel's labels do not meet is in no hit and cannot be opened; the rest can."""
    retriever, labels = labelled
    chance, pairs = random.Random(11), 0
    for number in range(CHANNELS):
        own = None if number % 5 == 0 else tuple(chance.sample(LABELS[1:], chance.randint(0, 4)))
        places = Places({"C1": Place(labels=own)})
        audience = frozenset(places.of("C1", is_direct=False).audience(is_shared=number % 7 == 0))
        found = {
            p.document.id
            for p in retriever.search(["refunds are made within days"], audience=audience, top_k=60).passages
        }
        for name, seen in labels.items():
            is_visible = bool(seen & audience)
            assert is_visible or name not in found
            assert (retriever.document(name, audience=audience) is not None) is is_visible
            pairs += 1
        assert bool(found) is any(seen & audience for seen in labels.values())
    assert pairs == DOCUMENTS * CHANNELS
