"""The index folder: built, updated, swapped, and opened for searching."""

from retrieval.index.amend import DecisionReport, ForgetReport, decide, forget_documents, read_quarantine
from retrieval.index.arrays import verify_files
from retrieval.index.build import IndexReport, store_calibration, update_index
from retrieval.index.contents import indexed_documents, indexed_vectors
from retrieval.index.embedding import Tools
from retrieval.index.manifest import Manifest, read_manifest
from retrieval.index.opened import OpenIndex
from retrieval.index.places import documents_at, keep_places
from retrieval.index.plan import Plan, Update, check_removals, outdated_parts, preview_update
from retrieval.index.unresolved import keep_unresolved, read_unresolved

__all__ = [
    "DecisionReport",
    "ForgetReport",
    "IndexReport",
    "Manifest",
    "OpenIndex",
    "Plan",
    "Tools",
    "Update",
    "check_removals",
    "decide",
    "documents_at",
    "forget_documents",
    "indexed_documents",
    "indexed_vectors",
    "keep_places",
    "keep_unresolved",
    "outdated_parts",
    "preview_update",
    "read_manifest",
    "read_quarantine",
    "read_unresolved",
    "store_calibration",
    "update_index",
    "verify_files",
]
