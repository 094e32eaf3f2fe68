"""The check before an index is published: the new generation must find about as much as the one that is served."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import IndexMissing, PublishRefused
from retrieval.evaluation import LabelledQuestion, run_method
from retrieval.evaluation.measures import hit, reciprocal_rank
from retrieval.evaluation.runs import as_asked
from retrieval.index import OpenIndex
from retrieval.passages import Ranking
from retrieval.ports import Encoder
from retrieval.retriever import Retriever
from retrieval.search.places import search_planned
from scripts.labelled import read_questions
from scripts.rewriting import simple_rewrite

# A generation may be worse by this much: with fewer than fifty questions one of them is more.
ALLOWED = 0.02
_TOP_K = 10


@dataclass(frozen=True, slots=True)
class PublishCheck:
    """Compares a new generation with the one that is served, on labelled questions.

    `tell` gets both figures.
    """

    questions: Sequence[LabelledQuestion]
    encoder: Encoder
    tell: Callable[[Mapping[str, float], Mapping[str, float]], None]

    @classmethod
    def of(
        cls, path: Path, encoder: Encoder, tell: Callable[[Mapping[str, float], Mapping[str, float]], None]
    ) -> "PublishCheck":
        """Read the questions.

        Raises:
            RowsInvalid, EvaluationInvalid: the file cannot be used.
        """
        return cls(read_questions(path), encoder, tell)

    def __call__(self, folder: Path, candidate: OpenIndex) -> None:
        """Compare.

        Raises:
            PublishRefused: a figure falls by more than `ALLOWED`.
        """
        try:
            live = Retriever.open(folder, encoder=self.encoder)
        except IndexMissing:
            return  # the first generation has nothing to be compared with
        try:
            before = self._figures(live)
        finally:
            live.close()
        after = self._figures(Retriever(candidate, self.encoder))
        self.tell(before, after)
        worse = [name for name in before if after[name] < before[name] - ALLOWED - 1e-9]
        if worse:
            told = ", ".join(f"{name} {before[name]:.3f} to {after[name]:.3f}" for name in worse)
            raise PublishRefused(
                f"the new index answers worse than the one that is served ({told}); nothing was changed"
            )

    def _figures(self, retriever: Retriever) -> dict[str, float]:
        def search(queries: Sequence[str], name: str) -> Ranking:
            return search_planned(
                queries, lambda texts: retriever.search(texts, top_k=_TOP_K, method=name), top_k=_TOP_K
            )

        run = run_method(self.questions, "hybrid", search, rewrite=simple_rewrite("rules") or as_asked)
        ranked = [(one.ranked, one.question.relevant) for one in run.rankable]
        answerable = [one for one in run.judged if one.question.is_answerable]
        figures = {}
        if ranked:
            figures["hit@5"] = sum(hit(names, relevant, 5) for names, relevant in ranked) / len(ranked)
            figures["mrr@10"] = sum(reciprocal_rank(names, relevant, 10) for names, relevant in ranked) / len(ranked)
        if answerable:
            figures["not refused"] = sum(not one.is_refused for one in answerable) / len(answerable)
        unanswerable = [one for one in run.judged if not one.question.is_answerable]
        if unanswerable:
            figures["not plainly answered"] = sum(not one.is_plain for one in unanswerable) / len(unanswerable)
        return figures
