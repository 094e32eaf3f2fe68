"""Claims of `retrieval.index.manifest`: written and read in steps, a manifest is what it would be in one go."""

import json
from pathlib import Path

import pytest

from retrieval.errors import IndexDamaged
from retrieval.index.manifest import Counts, FileEntry, Manifest, parse_manifest

ODD = ('a"b', ",\n  ", "\n }", '\n "documents": {\n  ', "é", "漢字", "\u2028", "{", "", " ")
PLACE = Path("manifest.json")


def manifest(count: int) -> Manifest:
    """Give a manifest of so many documents, the odd ids first."""
    ids = [*ODD, *(f"kb-{number}" for number in range(count))][:count]
    return Manifest(
        encoder="m@1",
        dimension=4,
        versions={"chunker": "2"},
        counts=Counts(documents=count),
        languages=("", "en"),
        visibilities=(("public",),),
        files={"a.npy": FileEntry("a-1.npy", 5, "0" * 64)},
        documents={name: f"{number:016x}" for number, name in enumerate(ids)},
        calibration={"basis": "documents", "gate": {"documents": {}}},
        input="f",
        cursors={"documents": "1"},
    )


@pytest.mark.parametrize("count", [0, 1, 10, 1_499, 1_500, 2_001])
def test_steps_give_what_one_go_gives(count: int) -> None:
    """The text is that of `json`, and reading it, or any other layout of it, gives the same manifest in the order of ids."""
    made = manifest(count)
    text = made.dump()
    assert text == json.dumps(json.loads(text), ensure_ascii=False, sort_keys=True, indent=1) + "\n"
    for form in (text, json.dumps(json.loads(text)), json.dumps(json.loads(text), indent=4)):
        read = parse_manifest(form, PLACE)
        assert read == made
        assert list(read.documents) == sorted(made.documents)
        assert (read.index_id, read.dump()) == (made.index_id, text)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace('": "000', '": 000', 1),
        lambda text: text[: len(text) // 2],
        lambda text: text.replace('\n "documents": {', '\n "documents": [', 1),
        lambda text: "[]",
        lambda text: "1",
    ],
)
def test_what_is_no_manifest_is_told(change) -> None:
    """Wherever it is broken."""
    with pytest.raises(IndexDamaged):
        parse_manifest(change(manifest(1_200).dump()), PLACE)
