"""Source documents: read from files, checked, cut into chunks and sentences."""

from retrieval.documents.chunk import CHUNKER_VERSION, Chunk, chunk_document
from retrieval.documents.collect import collect
from retrieval.documents.document import Document, Loaded, Problem
from retrieval.documents.fields import FieldInvalid, FieldMap
from retrieval.documents.load import load_documents, read_documents, record_items
from retrieval.documents.oddities import long_tables, odd_dates, undated
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
    "collect",
    "load_documents",
    "long_tables",
    "odd_dates",
    "read_documents",
    "record_items",
    "split_sentences",
    "undated",
]
