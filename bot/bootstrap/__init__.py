"""The one place where settings become live objects.

Each function builds one part and is an asynchronous context where the part must be closed; parts are closed in reverse
order. Importing this package opens nothing, and what a command does not need is not imported: answering loads neither
torch nor a platform's SDK.
"""

from bot.bootstrap.build import build_id
from bot.bootstrap.clock import SystemClock
from bot.bootstrap.index_parts import (
    SAMPLE,
    build_encoder,
    build_redactor,
    build_reranker,
    index_sample,
    index_tools,
    known_documents,
    private_folder,
)
from bot.bootstrap.parts import Flow, ServedIndex, State, open_flow, open_index, open_pipeline, open_state

__all__ = [
    "SAMPLE",
    "Flow",
    "ServedIndex",
    "State",
    "SystemClock",
    "build_encoder",
    "build_id",
    "build_redactor",
    "build_reranker",
    "index_sample",
    "index_tools",
    "known_documents",
    "open_flow",
    "open_index",
    "open_pipeline",
    "open_state",
    "private_folder",
]
