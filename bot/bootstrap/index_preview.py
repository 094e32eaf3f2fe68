"""What a dry run of `triage index` works with: nothing in the data folder is made for it, no model, no key, no folder."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.bootstrap.index_parts import build_redactor, known_documents
from bot.bootstrap.redaction_key import FILE
from config.settings import RetrievalSettings
from retrieval.errors import ModelMissing

if TYPE_CHECKING:
    from retrieval.index import Tools
    from retrieval.ports import Encoder, Vectors


class UnmadeEncoder:
    """Stands for a model that is not made in this data folder yet; what would change follows from the texts alone."""

    identity = "not made yet"
    dimension = 0

    def encode_queries(self, texts: Sequence[str]) -> "Vectors":
        """Refuse: a preview embeds nothing."""
        raise ModelMissing(f"{len(texts)} texts need the embedding model, which a run without --dry-run makes")

    def encode_passages(self, texts: Sequence[str]) -> "Vectors":
        """Refuse: a preview embeds nothing."""
        raise ModelMissing(f"{len(texts)} texts need the embedding model, which a run without --dry-run makes")


def preview_tools(settings: RetrievalSettings, model: str | None = None) -> "Tools":
    """Build what `preview_update` needs and write nothing.

    Without a key of the installation no document is known from before, so that each is redacted and screened anew.

    Raises:
        ModelMissing: a model that is not the bundled one is not on this machine.
    """
    from retrieval.dense import is_made, late_encoder
    from retrieval.dense.vector_cache import VectorCache
    from retrieval.index import Tools

    name, folder = settings.embedding_model if model is None else model, settings.data_dir
    encoder: Encoder = UnmadeEncoder()
    if is_made(name, folder):
        encoder = late_encoder(name, data_dir=folder, device=settings.embedding_device)
    has_key = settings.redaction_key is not None or (folder / FILE).is_file()
    known = known_documents(settings) if has_key else None
    return Tools(
        encoder, VectorCache(folder / "vectors.sqlite", encoder.identity), build_redactor(settings), known=known
    )
