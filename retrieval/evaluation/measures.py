"""The measures of a ranked list against the relevant ids. All are 0 to 1, one question at a time.

Source: Manning, Raghavan, Schütze, "Introduction to Information Retrieval", chapter 8; `ndcg` with linear gains and the logarithm to base 2, as
in BEIR (https://github.com/beir-cellar/beir) and trec_eval.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt


def hit(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Give 1 when any relevant id is among the first `k`."""
    return float(any(name in relevant for name in ranked[:k]))


def recall(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Give the share of the relevant ids among the first `k`."""
    return len(set(ranked[:k]) & set(relevant)) / len(set(relevant)) if relevant else 0.0


def reciprocal_rank(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Give 1 by the rank of the first relevant id among the first `k`, else 0."""
    return next((1 / rank for rank, name in enumerate(ranked[:k], start=1) if name in relevant), 0.0)


def ndcg(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Give the discounted gain of the first `k` by that of the ideal order; a mapping holds the gain of each id, else it is 1."""
    gains = relevant if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1.0)
    found = sum(gains.get(name, 0.0) / math.log2(rank + 1) for rank, name in enumerate(ranked[:k], start=1))
    best = sorted(gains.values(), reverse=True)[:k]
    ideal = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(best, start=1))
    return found / ideal if ideal else 0.0


Measure = Callable[[Sequence[str], Collection[str]], float]

MEASURES: Mapping[str, Measure] = {
    "hit@1": lambda ranked, relevant: hit(ranked, relevant, 1),
    "hit@3": lambda ranked, relevant: hit(ranked, relevant, 3),
    "hit@5": lambda ranked, relevant: hit(ranked, relevant, 5),
    "hit@10": lambda ranked, relevant: hit(ranked, relevant, 10),
    "recall@5": lambda ranked, relevant: recall(ranked, relevant, 5),
    "mrr@10": lambda ranked, relevant: reciprocal_rank(ranked, relevant, 10),
    "ndcg@10": lambda ranked, relevant: ndcg(ranked, relevant, 10),
}
DEPTH = 10
# Bounds the memory of resampling: 200 rounds of 10 000 questions are 16 MB.
_ROUNDS_AT_ONCE = 200


def mean_measures(judged: Sequence[tuple[Sequence[str], Collection[str]]]) -> dict[str, float]:
    """Give the mean of every measure over questions (ranked ids, relevant ids); 0 over none."""
    return {
        name: float(np.mean([measure(*pair) for pair in judged])) if judged else 0.0
        for name, measure in MEASURES.items()
    }


def bootstrap_intervals(values: npt.ArrayLike, *, rounds: int = 2_000, seed: int = 7) -> npt.NDArray[np.float64]:
    """Give the 95 % interval of the mean of each column by resampling rows (questions).

    The same values give the same intervals. All columns are resampled together, so differences of paired results are
    resampled as pairs.

    Args:
        values: (n, k); without rows every interval is 0.
        rounds: how often.
        seed: of the generator.

    Returns:
        float64, (k, 2): lower and upper bound.
    """
    array = np.asarray(values, np.float64)
    if not len(array):
        return np.zeros((array.shape[1] if array.ndim == 2 else 0, 2))
    generator = np.random.default_rng(seed)
    means = np.empty((rounds, array.shape[1]))
    shares = np.full(len(array), 1 / len(array))
    for start in range(0, rounds, _ROUNDS_AT_ONCE):
        count = min(_ROUNDS_AT_ONCE, rounds - start)
        means[start : start + count] = generator.multinomial(len(array), shares, count) @ array / len(array)
    return np.asarray(np.quantile(means, [0.025, 0.975], axis=0).T, np.float64)


def wilson_interval(hits: int, n: int) -> tuple[float, float]:
    """Give the 95 % interval of a share, (0, 1) without any case; wide where few were asked, also when all were hits.

    Source: Wilson (1927), "Probable inference, the law of succession, and statistical inference".
    """
    if not n:
        return 0.0, 1.0
    z, share = 1.959964, hits / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)
