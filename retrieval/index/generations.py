"""Earlier generations of an index: listed, and served again when the newest one turns out wrong."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import GenerationMissing
from retrieval.index.arrays import check_file
from retrieval.index.build import publish
from retrieval.index.embedding import Tools
from retrieval.index.folder import current_generation, generations, step_to, writing
from retrieval.index.intake import decided
from retrieval.index.manifest import Manifest, read_manifest
from retrieval.index.plan import everything
from retrieval.index.texts import Texts
from retrieval.screening import Decision, read_decisions


@dataclass(frozen=True, slots=True)
class Generation:
    """One kept generation; `is_newer` when it was stepped back from."""

    name: str
    manifest: Manifest
    is_current: bool
    is_newer: bool


def list_generations(folder: Path) -> list[Generation]:
    """Give the generations that can be served, the oldest first.

    Raises:
        IndexMissing, IndexDamaged, IndexMismatch: the current one cannot be read.
    """
    read_manifest(folder)
    current, is_behind, found = current_generation(folder), False, []
    for name, manifest in generations(folder):
        found.append(Generation(name, manifest, name == current, is_behind))
        is_behind = is_behind or name == current
    return found


def roll_back(folder: Path, make_tools: Callable[[], Tools], *, to: str = "") -> tuple[Generation, Manifest]:
    """Serve an earlier generation again: the one before the current, or one named by the start of its name.

    Decisions about held documents that were made since then hold: where the generation does not follow them, it is published
    anew so that it does.

    Returns:
        The generation that was served until now, and the manifest of the one that is served now.

    Raises:
        IndexBusy: another process writes the index.
        GenerationMissing: there is no such generation.
        IndexMissing, IndexDamaged, IndexMismatch: the index cannot be read.
        ModelMissing: a decision must be followed, which takes the model.
    """
    with writing(folder):
        kept = list_generations(folder)
        place = next((place for place, one in enumerate(kept) if one.is_current), 0)
        target = _target(kept, place, to)
        decisions = read_decisions(folder)
        is_followed = _is_followed(folder, target.manifest, decisions)
        if is_followed:
            step_to(folder, target.name)
        else:
            _publish_decided(folder, target, decisions, make_tools())
        return kept[place], read_manifest(folder)


def _target(kept: list[Generation], place: int, to: str) -> Generation:
    if not to:
        if place == 0:
            raise GenerationMissing("there is no earlier generation to go back to")
        return kept[place - 1]
    named = [one for one in kept if one.name.startswith(to) or one.manifest.index_id.startswith(to)]
    if len(named) != 1:
        raise GenerationMissing(
            f"{'several kept generations are' if named else 'no kept generation is'} named {to!r}; `triage index history` lists them"
        )
    return named[0]


def _is_followed(folder: Path, manifest: Manifest, decisions: Mapping[str, Decision]) -> bool:
    if not decisions.keys() & manifest.documents.keys() and not manifest.counts.quarantined:
        return True
    texts = Texts(check_file(folder, manifest.files, "texts.sqlite"))
    try:
        named = [row for name in decisions if (row := texts.document_row(name)) is not None]
        items = {item.document.id: item for item in (*texts.documents(named), *texts.quarantined(with_decided=True))}
    finally:
        texts.close()
    return all(decided(item, decisions) == item for item in items.values())


def _publish_decided(folder: Path, target: Generation, decisions: Mapping[str, Decision], tools: Tools) -> None:
    publish(folder, everything(folder, target.manifest, tools, decisions), tools, target.manifest)
