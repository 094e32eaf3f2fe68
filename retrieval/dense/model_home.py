"""Where a model's files lie: the folder it comes from and the home of what we make of it in the data folder.

`data_dir/models/<name>-<key>/` is the home. For the bundled model it is the exported SentenceTransformer folder
itself; for any other model it holds only the compiled form (`openvino/`). Everything is made in a temporary folder
beside it and moved in one step under a lock, so two processes that start at once build once, and an interrupted
build leaves nothing that looks finished.
"""

import fcntl
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from retrieval.dense.bundled_e5 import EXPORT_BYTES, MODEL_NAME, bundled_file, export_bundled
from retrieval.disk_room import megabytes, refuse_small, told
from retrieval.errors import ModelMissing, ModelUnwritable

_WEIGHTS = (".safetensors", ".bin", ".model", ".json", ".txt")
# Raised when the exporter writes something else for the same input.
_EXPORT_REVISION = 1


@dataclass(frozen=True, slots=True)
class ModelHome:
    """`source` is a SentenceTransformer folder, `home` the folder of what is derived from it."""

    name: str
    source: Path
    home: Path


def find_model(model: str, data_dir: Path) -> ModelHome:
    """Find a model by folder or hub name; empty or the bundled name means the bundled one, exported when needed.

    Raises:
        ModelMissing: no such folder, or a hub name that is neither in the local cache nor may be downloaded.
        ModelUnwritable: the bundled one cannot be unpacked in the data folder.
    """
    if model in ("", MODEL_NAME):
        return _bundled(data_dir)
    source = _folder(model)
    name = re.sub(r"[^A-Za-z0-9.]+", "-", Path(model).name or source.name).strip("-.") or "model"
    return ModelHome(name, source, data_dir / "models" / f"{name}-{_signature(source)}")


def home_of(model: str, data_dir: Path) -> Path:
    """Give the folder of what is made of a model; that of the bundled one is not made for it.

    Raises:
        ModelMissing: as for `find_model`.
    """
    return _bundled_home(data_dir) if model in ("", MODEL_NAME) else find_model(model, data_dir).home


def create_folder(target: Path, build: Callable[[Path], None]) -> None:
    """Make `target` by `build(temporary folder)` once; returns at once when it exists. Safe between processes."""
    if target.is_dir():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with _locked(target.parent / f".{target.name}.lock"):
        if target.is_dir():
            return
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        try:
            build(scratch)
            # mkdtemp gives 0700 and that is what a data folder should be.
            os.replace(scratch, target)  # noqa: PTH105 - the step that must be atomic, named as in the design
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def create_model(target: Path, build: Callable[[Path], None], *, needs: int) -> None:
    """Make the folder of a model as `create_folder` does, where there is room for it.

    Args:
        target: the folder.
        build: fills a folder.
        needs: about how many bytes must be free when nothing is there yet.

    Raises:
        ModelUnwritable: there is less room, or the disk cannot be written; nothing is left that looks like a model.
    """
    try:
        if not target.is_dir():
            refuse_small(target.parent, needs)
        create_folder(target, build)
    except OSError as error:
        text = told("the embedding model", target.parent, error, needs=f"about {megabytes(needs)}")
        raise ModelUnwritable(f"{text} (TRIAGE_DATA_DIR)") from error


def model_bytes(source: Path) -> int:
    """Give the size of a model's files."""
    return sum(path.stat().st_size for path in _model_files(source))


def weights_hash(source: Path) -> str:
    """Give the SHA-256 of all model files of a folder, names included; hex, 16 characters."""
    total = hashlib.sha256()
    for path in _model_files(source):
        with path.open("rb") as file:
            total.update(
                f"{path.relative_to(source).as_posix()}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode()
            )
    return total.hexdigest()[:16]


def _bundled(data_dir: Path) -> ModelHome:
    packed = bundled_file()
    home = _bundled_home(data_dir)
    # The compiled form, made next, is about as large: to unpack a model that cannot be compiled then only fills the disk.
    create_model(home, lambda folder: export_bundled(packed, folder), needs=2 * EXPORT_BYTES)
    return ModelHome(MODEL_NAME, home, home)


def _bundled_home(data_dir: Path) -> Path:
    return data_dir / "models" / f"{MODEL_NAME}-{_sampled_hash(bundled_file())}"


def _sampled_hash(path: Path) -> str:
    """Hash size and 32 samples of a file: 1 ms, where all of its 72 MB take 60 to 350 ms at every start."""
    size = path.stat().st_size
    total = hashlib.sha256(f"{_EXPORT_REVISION}/{size}".encode())
    with path.open("rb") as file:
        for step in range(32):
            file.seek(size * step // 32)
            total.update(file.read(16384))
    return total.hexdigest()[:12]


def _folder(model: str) -> Path:
    path = Path(model).expanduser()
    if path.is_dir():
        if not (path / "modules.json").is_file() and not (path / "config.json").is_file():
            raise ModelMissing(f"the folder {path} holds no embedding model: modules.json is missing")
        return path.resolve()
    if path.is_absolute() or model.startswith((".", "~")) or model.count("/") > 1:
        raise ModelMissing(f"the embedding model is missing: there is no folder {path}")
    return _hub_folder(model)


def _hub_folder(name: str) -> Path:
    # The hub client reads its offline switches when it is imported; asking it is the only way to follow them all.
    from huggingface_hub import constants, snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    offline = bool(constants.HF_HUB_OFFLINE) or os.environ.get("TRANSFORMERS_OFFLINE", "") in ("1", "true", "yes")
    candidates = (name,) if "/" in name else (f"sentence-transformers/{name}", name)
    for candidate in candidates:
        try:
            return Path(snapshot_download(candidate, local_files_only=True))
        except (LocalEntryNotFoundError, HFValidationError):
            continue
    wanted = f"the embedding model {name} is not a folder here and not in the model cache {constants.HF_HUB_CACHE}"
    if offline:
        raise ModelMissing(f"{wanted}, and downloads are switched off (HF_HUB_OFFLINE)")
    try:
        return Path(snapshot_download(candidates[0]))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise ModelMissing(f"{wanted}, and it could not be downloaded ({type(error).__name__})") from error


def _model_files(source: Path) -> list[Path]:
    files = (p for p in sorted(source.rglob("*")) if p.is_file() and p.suffix in _WEIGHTS)
    return [p for p in files if not any(part.startswith(".") for part in p.relative_to(source).parts)]


def _signature(source: Path) -> str:
    """Name the present state of a folder without reading it: names, sizes and times of its model files."""
    rows = [(p.relative_to(source).as_posix(), p.stat().st_size, p.stat().st_mtime_ns) for p in _model_files(source)]
    return hashlib.sha256(repr((str(source), rows)).encode()).hexdigest()[:12]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # released by the kernel when the process dies
        yield
