"""What `triage doctor` looks at in Redis: does it answer, does it take a write, and does it keep what it took?"""

from collections.abc import AsyncIterator

from bot.bootstrap.parts import State, open_state
from bot.errors import Refusal, StateRefused, StateUnavailable
from config.settings import Settings

Told = tuple[str, bool, str, str, bool]
_AWAY = "start Redis at REDIS_URL, or unset it for the embedded server"
_ADVICE = {
    Refusal.FULL: "give it more memory (maxmemory), or a server that nothing else fills; until then no thread is kept and no question taken in",
    Refusal.DISK: "free the disk that its file lies on, and look into its log; until then no thread is kept and no question taken in",
    Refusal.REPLICA: "let REDIS_URL name the primary server",
    Refusal.REPLICAS_AWAY: "bring its replicas back, or lower min-replicas-to-write",
    Refusal.RIGHTS: "give its user read and write of the keys triage:* and scripts (ACL SETUSER … ~triage:* +@all)",
    Refusal.PASSWORD: "check user and password in REDIS_URL",
    Refusal.LOADING: "wait until it has read its file, then try again",
}
# Under others an acknowledged question can be lost.
_WANTED = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}


async def check_redis(settings: Settings) -> AsyncIterator[Told]:
    """Try the server; give for each part its name, whether it works, what was seen, what to do, and whether that is a warning.

    A warning leaves the part working: questions are answered, and some may be lost in a crash.
    """
    where = "at REDIS_URL" if settings.server.redis_url else "embedded server starts"
    try:
        async with open_state(settings.server, settings.retrieval.data_dir) as state:
            await state.link.check_writes(state.keys.writable)
            risks = await _durability_risks(state)
    except StateRefused as error:
        yield "redis", False, str(error), _ADVICE[error.refusal], False
        return
    except StateUnavailable as error:
        yield "redis", False, str(error), _AWAY, False
        return
    yield "redis", True, where, "", False
    for seen, advice in risks:
        yield "redis durability", True, seen, advice, True


async def _durability_risks(state: State) -> list[tuple[str, str]]:
    """Name the settings of the server under which an acknowledged question can be lost, each with what to do."""
    risks = []
    for name, value in _WANTED.items():
        try:
            found = await state.link.execute("CONFIG", "GET", name)
        except StateUnavailable:  # managed servers do not show their settings
            wanted = ", ".join(f"{setting} {wish}" for setting, wish in _WANTED.items())
            return [("its settings cannot be read", f"see that your provider runs it with {wanted}")]
        pairs = found if isinstance(found, dict) else dict(zip(found[::2], found[1::2], strict=True))
        if pairs.get(name) != value:
            risks.append(
                (
                    f"{name} is {pairs.get(name)}: a question that was taken in can be lost",
                    f"set {name} {value} in its configuration",
                )
            )
    return risks
