"""The ranking space takes language away and leaves meaning."""

import numpy as np

from retrieval.ports import Encoder
from retrieval.ranking.space import RankingSpace, document_means, query_space, ranking_vectors, unit_rows


def _rows(*values):
    return unit_rows(np.array(values, np.float32))


def test_language_is_taken_away() -> None:
    """Two languages that differ by one direction: the right chunk of the other language comes first after centring."""
    rng = np.random.default_rng(5)
    meaning = rng.normal(size=(400, 16))
    direction = np.zeros(16)
    direction[0] = 6.0
    first, second = meaning + direction, meaning - direction
    vectors = unit_rows(np.concatenate([first[:200], second[200:]]).astype(np.float32))
    languages = ["en"] * 200 + ["uk"] * 200
    queries = unit_rows(first.astype(np.float32))  # everybody asks in the first language
    space = query_space(queries, queries)
    moved = ranking_vectors(vectors, vectors, languages, sharers=[1] * len(vectors))
    plain = (queries[200:] @ vectors.T).argmax(axis=1)
    ranked = (np.stack([space.of_query(q) for q in queries[200:]]) @ moved.T).argmax(axis=1)
    right = np.arange(200, 400)
    assert (ranked == right).mean() > 0.9
    assert (plain == right).mean() < 0.2


def test_inputs_stay_and_rows_are_units() -> None:
    """float32 unit rows come out, the raw vectors are unchanged."""
    vectors = _rows([1, 2, 3], [3, 2, 1], [0, 1, 0])
    before = vectors.copy()
    moved = ranking_vectors(vectors, vectors, ["en", "uk", ""], sharers=[1, 1, 1])
    np.testing.assert_array_equal(vectors, before)
    assert moved.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), 1, atol=1e-5)


def test_one_chunk_and_no_chunk() -> None:
    """A base of one chunk has no direction left; nothing breaks."""
    one = ranking_vectors(_rows([1, 0, 0]), _rows([1, 0, 0]), ["en"], sharers=[1])
    assert np.isfinite(one).all()
    assert ranking_vectors(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), [], sharers=[]).shape == (0, 3)


def test_without_headings_the_bank_is_the_mean() -> None:
    """A base without headings takes the mean of ordinary questions."""
    bank = _rows([1, 0, 0], [0, 1, 0])
    space = query_space(np.zeros((0, 3), np.float32), bank)
    np.testing.assert_allclose(space.query_mean, bank.mean(axis=0), atol=1e-6)
    assert space.of_query(bank[0]).dtype == np.float32


def test_same_meaning_in_two_languages_beats_same_language(default_encoder: Encoder) -> None:
    """With the real model a Ukrainian question finds the English article among Ukrainian ones."""
    texts = [
        "Reset your password\nOpen Settings, choose Security and press Reset password.",
        "Refunds\nWe return the money within 14 days.",
        "Встановлення принтера\nПідключіть принтер і встановіть драйвер.",
        "Зміна мови\nВідкрийте налаштування і виберіть мову.",
        "Спільний доступ до файлів\nНатисніть «Поділитися» і додайте людей.",
        "Export data\nPress Export to get a CSV file.",
    ]
    languages = ["en", "en", "uk", "uk", "uk", "en"]
    vectors = default_encoder.encode_passages(texts)
    headings = [text.splitlines()[0] for text in texts]
    moved = ranking_vectors(vectors, default_encoder.encode_passages(headings), languages, sharers=[1] * len(vectors))
    asked = default_encoder.encode_queries(headings)
    query = default_encoder.encode_queries(["забув пароль, як відновити вхід"])[0]
    assert (moved @ query_space(asked, asked).of_query(query)).argmax() == 0


def test_a_heading_of_many_documents_weighs_less() -> None:
    """A chunk is drawn towards its own heading, and less towards one that a hundred documents share."""
    chunks = _rows([1, 0, 0], [1, 0, 0], [0, 1, 0], [-1, -1, 0])
    headings = _rows([0, 0, 1], [0, 0, 1], [0, 1, 0], [-1, -1, 0])
    own, shared = ranking_vectors(chunks, headings, ["en"] * 4, sharers=[1, 100, 1, 1])[:2, 2]
    assert own > shared


def test_the_mean_of_a_document_is_that_of_its_chunks() -> None:
    """One unit row a document, between its chunks; a document without a chunk has a zero row."""
    means = document_means(_rows([1, 0, 0], [0, 1, 0], [0, 0, 1]), np.array([0, 0, 2], np.int32))
    np.testing.assert_allclose(means, [[2**-0.5, 2**-0.5, 0], [0, 0, 0], [0, 0, 1]], atol=1e-6)
    assert document_means(np.zeros((0, 3), np.float32), np.zeros(0, np.int32)).shape == (0, 3)


def test_means_of_documents_are_to_the_last_bit_those_of_adding_chunk_by_chunk() -> None:
    """In any order of chunks, over the blocks that they are added in: an update must make the bytes of a build of everything."""
    chance = np.random.default_rng(5)
    documents = chance.integers(0, 2_500, 9_000).astype(np.int32)
    documents[chance.integers(0, 9_000, 40)] = 7
    chunks = _rows(*chance.standard_normal((9_000, 12)))
    sums = np.zeros((int(documents.max()) + 1, 12), np.float32)
    np.add.at(sums, documents, chunks)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    assert document_means(chunks, documents).tobytes() == (sums / np.maximum(lengths, 1e-9)).tobytes()


def test_a_foreign_question_loses_its_language() -> None:
    """As far as the base is foreign the axes are taken out; at home, or without axes, nothing is."""
    space = RankingSpace(np.zeros(3, np.float32), np.array([[1, 0, 0]], np.float32))
    query = _rows([1, 1, 0])[0]
    np.testing.assert_allclose(space.of_query(query), query, atol=1e-6)
    np.testing.assert_allclose(space.of_query(query, foreign_share=1.0), [0, 1, 0], atol=1e-6)
    half = space.of_query(query, foreign_share=0.5)
    assert 0 < half[0] < half[1]
    assert half.dtype == np.float32
    plain = RankingSpace(space.query_mean)
    np.testing.assert_allclose(plain.of_query(query, foreign_share=1.0), query, atol=1e-6)
