"""What is known of a stored document beside its text."""

from retrieval.index.intake import Prepared
from retrieval.passages import DocumentCard
from retrieval.redaction import RedactedText


def card_of(item: Prepared) -> DocumentCard:
    """Give what is known of a stored document beside its text."""
    document = item.document
    return DocumentCard(
        id=document.id,
        title=RedactedText.stored(document.title),
        kind=document.kind,
        url=document.url,
        lang=document.lang,
        updated_at=document.updated_at,
        created_at=document.created_at,
        status=document.status,
        supersedes=document.supersedes,
        valid_until=document.valid_until,
        review_by=document.review_by,
        visibility=document.visibility,
        product=document.product,
        queue=document.queue,
        owner=document.owner,
        quarantined=item.screening.quarantined,
    )
