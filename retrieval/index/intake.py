"""What happens to a document before anything of it is stored: redaction and screening."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace

from retrieval.documents import Document
from retrieval.language import language_of
from retrieval.redaction import Redactor
from retrieval.screening import Screening, screen_document


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document that may be stored: redacted, its people forgotten, its language known, judged by the screen."""

    document: Document
    screening: Screening
    redactions: int

    @property
    def hash(self) -> str:
        """Content hash of what is stored, 16 hex digits."""
        values = asdict(replace(self.document, source=""))
        text = json.dumps([values, asdict(self.screening)], ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def prepare(
    document: Document, redactor: Redactor, *, screen: Callable[[str, str], Screening] = screen_document
) -> Prepared:
    """Redact title, question, text, resolution and owner with the document's people as names, and screen the raw text."""
    raw = "\n\n".join(part for part in (document.question, document.text, document.resolution) if part)
    screening = screen(document.title, raw)
    redactions = [redactor.redact(text, names=document.people) for text in _texts(document)]
    title, question, text, resolution, owner = (str(redaction.text) for redaction in redactions)
    lang = language_code(document.lang) or language_of(resolution or text or title)
    clean = replace(
        document, title=title, question=question, text=text, resolution=resolution, owner=owner, lang=lang, people=()
    )
    return Prepared(clean, screening, sum(len(redaction.spans) for redaction in redactions))


def _texts(document: Document) -> tuple[str, ...]:
    return document.title, document.question, document.text, document.resolution, document.owner


def prepare_all(documents: Sequence[Document], redactor: Redactor) -> list[Prepared]:
    """Prepare documents and put them in the order of their ids, so that the index does not depend on the order of paths."""
    return sorted((prepare(document, redactor) for document in documents), key=lambda item: item.document.id)


def language_code(tag: str) -> str:
    """Give the primary language of a tag: `zh-cn`, `pt_BR` → zh, pt."""
    return tag.replace("_", "-").partition("-")[0].strip().casefold()
