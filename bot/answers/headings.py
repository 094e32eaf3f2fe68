"""Which section of a source answers: its heading often says what its sentences leave out ("V-31: too many sessions", "On an iPhone")."""

from collections.abc import Iterable
from dataclasses import replace

from bot.answers.evidence import shape_of
from bot.answers.tables import names_row
from bot.questions.codes import codes_of
from bot.words import heads_in, heads_of, words
from retrieval.passages import EvidenceSentence, Passage

# What a sentence loses whose heading holds none of the question's words where another one holds all of them. Nearness of one
# passage's sentences lies within about 0.6.
_OTHER_SECTION = 0.3
# A heading with another code than the one that is asked for is about something else.
_OTHER_CODE = 0.6
# What a table gains one row of which is named.
_ROW = 0.3
_REPLY, _OTHER_QUESTION = 0.05, 0.5
_MARKS = "*_: \t"


def by_question(passage: Passage) -> Passage:
    """Judge what stands below a question in a source by how near that question is, whatever language was asked in.

    Of a list of questions and answers "Yes, if the printer was at fault." alone says nothing. The first sentence of a reply is
    as near as its question, nearly; replies to farther questions lose a part of what theirs lack.
    """
    heads: dict[int, float] = {}
    for one in passage.sentences:
        if is_head(one):
            heads[one.section] = max(one.nearness, heads.get(one.section, one.nearness))
    if not heads:
        return passage
    most = max(heads.values())
    first = {one.section: one.index for one in reversed(passage.sentences) if not is_head(one)}
    sentences = tuple(
        one
        if one.section not in heads or is_head(one)
        else replace(
            one,
            nearness=(
                max(one.nearness, heads[one.section] - _REPLY) if first[one.section] == one.index else one.nearness
            )
            - _OTHER_QUESTION * (most - heads[one.section]),
        )
        for one in passage.sentences
    )
    return replace(passage, sentences=sentences)


def is_head(sentence: EvidenceSentence) -> bool:
    """Say whether a sentence is a question or line in bold that others stand under."""
    text = sentence.text.strip(_MARKS)
    return bool(text) and text in sentence.heading and not shape_of(sentence.text).is_quotable


def by_row(passage: Passage, question: str) -> Passage:
    """Judge a table that has a row for what the question names as nearer: its vector is that of all its rows."""
    sentences = tuple(
        replace(one, nearness=one.nearness + _ROW)
        if shape_of(one.text).is_block and names_row(one.text, question)
        else one
        for one in passage.sentences
    )
    return replace(passage, sentences=sentences)


def by_heading(passage: Passage, question: str) -> Passage:
    """Judge the sentences of a passage by their headings too, the worse the less these hold of the question.

    Nothing is judged as nearer, so that a source with headings does not lead over one without.

    Args:
        passage: one that was found.
        question: standing alone.
    """
    headings = {sentence.heading for sentence in passage.sentences}
    if len(headings) < 2:
        return passage
    codes = codes_of(question)
    if coded := {heading for heading in headings if codes & set(words(heading))}:
        loss = {heading: _OTHER_CODE * (heading not in coded) for heading in headings}
    else:
        shares = _shares(headings, heads_of(question), passage.document.title)
        loss = {heading: _OTHER_SECTION * (max(shares.values()) - share) for heading, share in shares.items()}
    if not any(loss.values()):
        return passage
    sentences = tuple(replace(one, nearness=one.nearness - loss[one.heading]) for one in passage.sentences)
    return replace(passage, sentences=sentences)


def _shares(headings: Iterable[str], said: frozenset[str], title: str) -> dict[str, float]:
    """Give the share of the question that each heading holds, beside what the title says of all of them.

    Where none holds more than the title does, a heading counts that says nothing else than the question: "Annual plans" is not
    meant by a question on plans, "Forgotten password" is by one on a forgotten password.
    """
    own = said - heads_in(title, said)
    shares = {heading: len(heads_in(heading, own)) / len(said) for heading in headings} if own else {}
    if any(shares.values()):
        return shares
    last = {heading: heads_of(heading.split(" › ")[-1]) for heading in headings}
    return {heading: len(heads) / len(said) if heads and heads <= said else 0.0 for heading, heads in last.items()}
