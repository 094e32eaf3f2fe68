"""Errors of the retrieval library.

RetrievalError
├── DocumentsInvalid   nothing could be read from the given paths
├── IndexMissing       no index in the folder, or a file of it is gone
├── IndexMismatch      built by another model, dimension or schema
├── IndexDamaged       a file is truncated or not what its name says
├── IndexBusy          another process writes the index now; may be tried again
├── IndexUnwritable    the folder of the index cannot be made or written
├── CacheUnusable      the kept vectors cannot be read or written
├── RemovalRefused     a run would take many of the documents out of the index
├── GenerationMissing  there is no such earlier generation of the index
├── PublishRefused     a new generation answers worse than the one that is served
├── EvaluationInvalid  a threshold, an older result or a file of questions cannot be used
├── RerankerFailed     the cross-encoder broke off or gave no usable scores
├── ModelUnwritable    the embedding model cannot be unpacked or compiled where it is kept
└── ModelMissing       the embedding model is not on the disk
"""


class RetrievalError(Exception):
    """Root of everything that this package raises on purpose."""


class DocumentsInvalid(RetrievalError):
    """Nothing could be read from the given paths; the message names file and line."""


class IndexMissing(RetrievalError):
    """The folder holds no index, or one of the files its manifest names is gone."""


class IndexMismatch(RetrievalError):
    """The index was built by another embedding model, dimension or schema."""


class IndexDamaged(RetrievalError):
    """A file of the index is truncated or does not match its content hash."""


class ModelMissing(RetrievalError):
    """The embedding model is not on this machine; the message names what is missing."""


class ModelUnwritable(RetrievalError):
    """The embedding model cannot be unpacked or compiled in the data folder; the message says what is full and what it takes."""


class IndexBusy(RetrievalError):
    """Another process is writing this index now; trying again later is right."""


class IndexUnwritable(RetrievalError):
    """The folder of the index cannot be made or written; the message names it and says what to look at."""


class CacheUnusable(RetrievalError):
    """The file of kept vectors cannot be read or written; the message names it."""


class RemovalRefused(RetrievalError):
    """The run would remove more than a tenth, or over half, of the indexed documents and was not told that this is meant."""


class GenerationMissing(RetrievalError):
    """No kept generation of the index is the one that was asked for."""


class PublishRefused(RetrievalError):
    """The new generation finds less on the given questions than the one that is served; the index is unchanged."""


class RerankerFailed(RetrievalError):
    """The cross-encoder broke off, or its scores cannot order anything; the plain order is still good."""


class EvaluationInvalid(RetrievalError):
    """A threshold, an older result or a file of labelled questions cannot be used; the message names it."""
