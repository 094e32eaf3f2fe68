"""Embedding models, their served form, and the vectors they made."""

from retrieval.dense.bundled_e5 import MODEL_NAME
from retrieval.dense.encoders import load_encoder, prepare_default_model

__all__ = ["MODEL_NAME", "load_encoder", "prepare_default_model"]
