"""A model that is loaded while the process still imports: each takes half a second, and the compiler lets go of the interpreter."""

from concurrent.futures import Future
from pathlib import Path
from threading import Thread

from retrieval.dense.encoders import load_encoder
from retrieval.errors import RetrievalError
from retrieval.ports import Encoder

_Wanted = tuple[str, Path, str]
_started: "dict[_Wanted, Future[Encoder]]" = {}


def start_loading(model: str, *, data_dir: Path, device: str = "auto") -> None:
    """Begin to load a model on a thread of its own; arguments as for `load_encoder`. Where none was ever made nothing is begun."""
    wanted = (model, data_dir, device)
    if wanted not in _started and (data_dir / "models").is_dir():
        loading: Future[Encoder] = Future()
        _started[wanted] = loading
        Thread(target=_load, args=(wanted, loading), name="early encoder").start()


def loaded_encoder(model: str, *, data_dir: Path, device: str = "auto") -> Encoder:
    """Give the encoder that was begun, once; otherwise load one now.

    Raises:
        ModelMissing: as for `load_encoder`.
    """
    loading = _started.pop((model, data_dir, device), None)
    return load_encoder(model, data_dir=data_dir, device=device) if loading is None else loading.result()


def _load(wanted: _Wanted, loading: "Future[Encoder]") -> None:
    model, data_dir, device = wanted
    try:
        loading.set_result(load_encoder(model, data_dir=data_dir, device=device))
    except (RetrievalError, OSError, RuntimeError, ValueError) as error:
        loading.set_exception(error)  # told to whoever asks for the encoder
