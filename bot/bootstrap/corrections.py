"""Corrections as the lead makes them, on the page and on the command line, built from the settings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bot.adapters.files.corrections import FILE, CorrectionFile, CorrectionRefused
from bot.audit import AuditTrail
from bot.bootstrap.clock import SystemClock
from bot.bootstrap.index_parts import build_redactor
from bot.checks.closed_output import has_active_markup, has_mention, hosts_of, without_foreign
from bot.lead.corrections import Complaint, Correction, CorrectionKind, RestsOn, digest_of
from bot.lead.forgetting import Subject
from bot.ports import Clock
from config.settings import RetrievalSettings, Settings
from retrieval.documents import Document
from retrieval.redaction import EMPTY, RedactedText, Redactor, contact_domains

_MOST_CHARACTERS = 4_000
_MOST_SOURCES = 8


@dataclass(frozen=True, slots=True)
class CorrectionDesk:
    """Makes and undoes corrections over the documents of one index, and writes each down without its text."""

    file: CorrectionFile
    redactor: Redactor
    trail: AuditTrail
    clock: Clock = field(default_factory=SystemClock)
    link_hosts: frozenset[str] = frozenset()

    def redact(self, text: str, documents: Mapping[str, Document]) -> RedactedText:
        """Take personal data out of what the lead wrote; the desk's own addresses stay, as in the articles."""
        hosts = hosts_of(document.url for document in documents.values())
        return self.redactor.beside(contact_domains(hosts)).redact(text.strip()).text

    def correct(
        self,
        complaint: Complaint,
        kind: CorrectionKind,
        *,
        sources: Sequence[str] = (),
        answer: str = "",
        documents: Mapping[str, Document],
    ) -> Correction:
        """Keep a correction; bots know it at their next question.

        Args:
            complaint: the question and whose it is.
            kind: what is to become of it.
            sources: ids of what is hidden, or of what the answer rests on.
            answer: the approved text of a pin.
            documents: what the index serves, by id.

        Raises:
            CorrectionRefused: there is no question, a source is not in the index, a pin lacks its text or its sources, or
                the text could ping somebody, or has a link that would not be shown.
        """
        names = tuple(dict.fromkeys(sources)) if kind is not CorrectionKind.REFUSE else ()
        text = self.redact(answer, documents) if kind is CorrectionKind.PIN else EMPTY
        for problem in _problems(complaint, kind, names, text, documents):
            raise CorrectionRefused(problem)
        if without_foreign(text, hosts_of(document.url for document in documents.values()) | self.link_hosts) != text:
            raise CorrectionRefused(
                "the answer has a link to a host that no document has, of which readers would see […]: leave it out,"
                " or name its host in TRIAGE_LINK_HOSTS"
            )
        rests_on = tuple(RestsOn(name, _digest(documents[name])) for name in names)
        correction = _correction(complaint, kind, self.clock.now(), sources=rests_on, answer=text)
        self.file.keep(correction)
        self.trail.write(
            "corrected", correction=correction.key, kind=str(kind), documents=list(names), by=correction.by
        )
        return correction

    def undo(self, key: str) -> bool:
        """Drop a correction; False when there is none of this key."""
        dropped = self.file.drop(lambda one: one.key == key)
        for one in dropped:
            self.trail.write("correction_undone", correction=one.key, kind=str(one.kind), documents=list(one.ids))
        return bool(dropped)


def _correction(
    complaint: Complaint, kind: CorrectionKind, at: float, *, sources: tuple[RestsOn, ...], answer: RedactedText
) -> Correction:
    return Correction(
        kind,
        complaint.question,
        complaint.language,
        complaint.by,
        at,
        sources=sources,
        answer=answer,
        asker=complaint.asker,
        thread=complaint.thread,
        message_id=complaint.message_id,
    )


def lapsed(correction: Correction, documents: Mapping[str, Document]) -> tuple[str, ...]:
    """Give the sources for which a pin no longer applies: gone, or saying something else than when it was made."""
    if correction.kind is not CorrectionKind.PIN:
        return ()
    return tuple(
        one.id for one in correction.sources if one.id not in documents or _digest(documents[one.id]) != one.digest
    )


def forget_corrections(settings: RetrievalSettings, subject: Subject) -> int:
    """Drop the corrections that belong to a person, thread, document or place; give how many."""
    file = CorrectionFile(settings.data_dir / FILE)
    return len(file.drop(subject.is_correction))


def build_correction_desk(settings: Settings, trail: AuditTrail) -> CorrectionDesk:
    """Build it over the data folder that bots read."""
    given = settings.retrieval
    hosts = frozenset(given.link_hosts)
    return CorrectionDesk(CorrectionFile(given.data_dir / FILE), build_redactor(given), trail, link_hosts=hosts)


def _digest(document: Document) -> str:
    return digest_of(document.title, document.evidence)


def _problems(
    complaint: Complaint,
    kind: CorrectionKind,
    names: Sequence[str],
    text: str,
    documents: Mapping[str, Document],
) -> Iterator[str]:
    if not complaint.question.strip():
        yield "a correction needs the question that it is for"
    if kind is not CorrectionKind.REFUSE and not 0 < len(names) <= _MOST_SOURCES:
        yield f"name one to {_MOST_SOURCES} documents: what is hidden, or what the answer rests on"
    missing = [name for name in names if name not in documents]
    if missing:
        yield f"not in the index: {', '.join(missing)}"
    if kind is CorrectionKind.PIN and not 0 < len(text) <= _MOST_CHARACTERS:
        yield f"a pinned answer needs a text of at most {_MOST_CHARACTERS} characters"
    if has_mention(text) or has_active_markup(text):
        yield "the answer could ping somebody or load something: leave mentions, images and HTML out"
