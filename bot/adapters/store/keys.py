"""Names and lifetimes of every key in Redis.

Every key carries the partition of its thread as a hash tag (`triage:{p07}:…`), so that one script touches one slot of
a cluster, and every key has a lifetime.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

from bot.messages import MessageId, ThreadKey, ThreadRef

CLAIM_TTL_S = 2 * 86_400  # platforms deliver again within hours; the promise is 24 h
POSTED_TTL_S = 7 * 86_400
RECEIPT_TTL_S = 30 * 86_400
GONE_TTL_S = 2 * 86_400  # longer than any question is on its way
WORK_TTL_S = 30 * 86_400  # renewed by every enqueue and every sweep of the lease holder
HISTORY_TTL_S = 14 * 86_400
HISTORY_TURNS = 20
DEAD_LETTERS = 10_000  # kept for each partition, newest win


@dataclass(frozen=True, slots=True)
class Keyspace:
    """Names of all keys. `partitions` must be the same in every process of one installation."""

    prefix: str = "triage:"
    partitions: int = 16

    def __post_init__(self) -> None:
        """Refuse a prefix that would take the hash tag's place."""
        if "{" in self.prefix or "}" in self.prefix or not 1 <= self.partitions <= 999:
            raise ValueError("a key prefix holds no braces, and there are 1 to 999 partitions")

    def partition(self, thread: ThreadKey) -> int:
        """Give the partition of a thread, 0 to `partitions` - 1."""
        return crc32(thread.encode("utf-8", "surrogatepass")) % self.partitions

    def of(self, partition: int, *parts: str) -> str:
        """Name a key of a partition: `work`, `dead`, `lease`, `fence`, `tries`, or a kind with a name."""
        return ":".join((f"{self.prefix}{{p{partition:02d}}}", *parts))

    def of_thread(self, thread: ThreadRef, *parts: str) -> str:
        """Name a key in the partition of a thread."""
        return self.of(self.partition(thread.key), *parts)

    def all_of(self, kind: str) -> str:
        """Give the glob for the keys of a kind with a name, in every partition."""
        return f"{self.prefix}{{p*}}:{kind}:*"

    def gone(
        self, thread: ThreadRef, message_id: MessageId, *, asker: str = "", cited: Sequence[str] = ()
    ) -> list[str]:
        """Name the marks under which a message, its thread, place, asker or sources may have been forgotten."""
        place = f"{thread.platform}/{thread.tenant_id}"
        named = [
            ("place", place),
            ("place", f"{place}/{thread.channel_id}"),
            ("thread", thread.key),
            ("thread", thread.thread_id),
        ]
        named += [("message", message_id), *([("user", asker)] if asker else [])]
        named += [("document", document_id) for document_id in cited]
        return [self.of_thread(thread, "gone", kind, name) for kind, name in named]

    def of_subject(self, subject: str, kind: str) -> str:
        """Name a key of a person, a channel, an API token or the budget; keys of one subject share its partition."""
        return self.of(self.partition(ThreadKey(subject)), kind, subject)

    def of_all(self, kind: str) -> str:
        """Name a key of the whole installation: `hash-key`, `forgettings`, `forget-requests`."""
        return f"{self.prefix}{kind}"

    @property
    def writable(self) -> str:
        """Name the key by which it is seen that Redis takes writes."""
        return f"{self.prefix}writable"

    @property
    def workers(self) -> str:
        """Name the set of live workers."""
        return f"{self.prefix}workers"
