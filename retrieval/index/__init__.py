"""The index folder: built, updated, swapped, and opened for searching."""

from retrieval.index.arrays import verify_files
from retrieval.index.build import ForgetReport, IndexReport, Update, forget_documents, store_calibration, update_index
from retrieval.index.embedding import Tools
from retrieval.index.manifest import Manifest, read_manifest
from retrieval.index.opened import OpenIndex

__all__ = [
    "ForgetReport",
    "IndexReport",
    "Manifest",
    "OpenIndex",
    "Tools",
    "Update",
    "forget_documents",
    "read_manifest",
    "store_calibration",
    "update_index",
    "verify_files",
]
