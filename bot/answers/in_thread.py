"""A follow-up is answered by the sources of its thread, and by the sentence for its new word, not by the same quote again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.answers.compose import visible
from bot.checks.closed_output import hosts_of
from bot.messages import Outcome, Question, Turn
from bot.questions.asked import Ask, Asked, asked_of
from bot.questions.leaning import is_follow_up
from bot.words import content_words, folded, head_of, lexicon_of, words
from retrieval.passages import Passage, Ranking

# Nearness of one passage's sentences lies within about 0.6. A follow-up's own words are few beside those that its thread
# carries, so a sentence that holds them is lifted; one that the thread has read already answered another question.
_NEW, SAID = 0.25, 0.3
# Who names no subject ("who may do that?") asks for what was not said yet.
_SAID_BEFORE = 1.0
# What the last answer cited leads over a source that is about as good.
FAVOUR = 0.15


@dataclass(frozen=True, slots=True)
class Leaning:
    """What a follow-up leans on: the last question, what its answers cited and said, and the words that it adds itself."""

    last: Turn
    cited: frozenset[str]
    answers: str
    own: tuple[str, ...]
    is_bare: bool

    @classmethod
    def of(cls, question: Question) -> "Leaning | None":
        """Give it for a question that leans on its thread; None for one that stands alone, or after no answer."""
        previous = [turn.question for turn in question.turns]
        answered = [turn for turn in question.turns if turn.outcome is Outcome.ANSWERED and not turn.is_heard]
        if not answered or not is_follow_up(question.text, previous):
            return None
        own = content_words(question.text, lexicon_of(question.text, prefer=question.language))
        cited = frozenset(answered[-1].cited_ids) if answered[-1] is question.turns[-1] else frozenset()
        return cls(question.turns[-1], cited, "\n".join(turn.answer for turn in answered), tuple(own), not own)

    def weighed(self, passages: Sequence[Passage], ranking: Ranking) -> tuple[Passage, ...]:
        """Give the passages with their sentences judged by what the follow-up adds and what was said before.

        A follow-up without a word of its own is about what was cited, as far as that was found again.
        """
        cited = [
            passage
            for passage in passages
            if passage.document.id in self.cited and passage.relevance >= ranking.uncertain_cut
        ]
        kept = cited if self.is_bare and cited else passages
        hosts = ranking.hosts | hosts_of(passage.document.url for passage in passages)
        return tuple(self._weighed(passage, hosts) for passage in kept)

    def _weighed(self, passage: Passage, hosts: frozenset[str]) -> Passage:
        loss = _SAID_BEFORE if self.is_bare else SAID
        sentences = tuple(
            replace(
                sentence,
                nearness=sentence.nearness
                + _NEW * self._share(f"{sentence.heading} {sentence.text}")
                - loss * (str(visible(sentence.text, hosts)) in self.answers),
            )
            for sentence in passage.sentences
        )
        return replace(passage, sentences=sentences)

    def _share(self, text: str) -> float:
        heads = [head_of(word) for word in self.own]
        spoken = words(folded(text))
        return sum(any(word.startswith(head) for word in spoken) for head in heads) / len(heads) if heads else 0.0

    def asked(self, question: Question, standalone: Asked) -> Asked:
        """Give what a follow-up wants: what its own words ask for, else what the question before it did ("and on Android?")."""
        if standalone.codes:
            return standalone
        own = asked_of(question.text, prefer=question.language)
        language = lexicon_of(question.text, prefer=question.language)
        if own.kind is Ask.OTHER and not set(words(question.text)) & language.question:
            own = asked_of(self.last.question, prefer=question.language)
        return replace(own, codes=frozenset(), is_bare_code=False, own=str(question.text))
