"""The bundled sample for a newcomer: indexed at the first start, and brought up to date at later ones."""

import sys
from collections.abc import Callable

from bot.bootstrap.index_parts import index_sample
from config.settings import RetrievalSettings
from retrieval.errors import IndexMissing

# Shown in the playground as long as the sample is what it answers from.
EXAMPLES = (
    "How do I install the Till app on an iPad?",
    "Was bedeutet Fehler TL-4012?",
    "Як видалити організацію разом з усіма даними?",
    "收银机没有网络时还能用吗？",
)
_MARK = "sample-index"


def is_sample_served(settings: RetrievalSettings) -> bool:
    """Tell whether the default index is the one that was made of the sample."""
    from retrieval.index import read_manifest

    mark = settings.data_dir / _MARK
    try:
        return mark.is_file() and mark.read_text(encoding="ascii").strip() == read_manifest(settings.index_dir).index_id
    except IndexMissing:
        return False


def prepare_sample(settings: RetrievalSettings, announce: Callable[[str], None]) -> None:
    """Index the sample unless the default index holds something else; say what was embedded.

    Raises:
        ModelMissing: the embedding model is not on this machine.
        IndexDamaged, IndexMismatch: there is an index that cannot be read; it is left alone.
    """
    from retrieval.index import read_manifest

    try:
        manifest = read_manifest(settings.index_dir)
    except IndexMissing:
        announce("Indexing the bundled sample; the first start also prepares the embedding model …")
    else:
        if not is_sample_served(settings):
            announce(f"Index: {manifest.counts.documents} documents in {settings.index_dir}")
            return
    report = index_sample(settings, _progress())
    mark = settings.data_dir / _MARK
    mark.write_text(report.manifest.index_id + "\n", encoding="ascii")
    counts = report.manifest.counts
    announce(
        f"Index: {counts.documents} documents of the sample, {counts.chunks} chunks, {report.chunks.embedded} embedded"
    )


def _progress() -> Callable[[str, int, int], None]:
    shown = {"last": ""}

    def show(stage: str, done: int, total: int) -> None:
        text = f"\rembedding {stage}: {done} of {total}"
        if sys.stderr.isatty() and text != shown["last"]:
            shown["last"] = text
            print(text, end="\n" if done >= total else "", file=sys.stderr, flush=True)

    return show
