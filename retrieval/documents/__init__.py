"""Source documents: read from files, checked, cut into chunks and sentences."""

from retrieval.documents.chunk import CHUNKER_VERSION, Chunk, chunk_document
from retrieval.documents.document import Document, Loaded, Problem
from retrieval.documents.fields import FieldInvalid, FieldMap
from retrieval.documents.load import load_documents
from retrieval.documents.sentences import split_sentences

__all__ = [
    "CHUNKER_VERSION",
    "Chunk",
    "Document",
    "FieldInvalid",
    "FieldMap",
    "Loaded",
    "Problem",
    "chunk_document",
    "load_documents",
    "split_sentences",
]
