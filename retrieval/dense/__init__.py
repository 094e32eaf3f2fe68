"""Embedding models, their served form, and the vectors they made."""

from retrieval.dense.bundled_e5 import MODEL_NAME
from retrieval.dense.encoder_thread import EncoderThread
from retrieval.dense.encoders import is_made, late_encoder, load_encoder, prepare_default_model
from retrieval.dense.shared_encoder import SharedEncoder
from retrieval.dense.vector_cache import CachedVectors, VectorCache

__all__ = [
    "MODEL_NAME",
    "CachedVectors",
    "EncoderThread",
    "SharedEncoder",
    "VectorCache",
    "is_made",
    "late_encoder",
    "load_encoder",
    "prepare_default_model",
]
