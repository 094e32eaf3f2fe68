"""A process that opens the embedded Redis of a folder, says its URL and its server's pid, and stays until its stdin closes."""

import asyncio
import sys
from pathlib import Path

from bot.adapters.store.embedded import embedded_redis


async def main() -> None:
    """Open, say so, wait."""
    folder = Path(sys.argv[1])
    async with embedded_redis(folder) as url:
        print(url, (folder / "redis" / "server.pid").read_text(), flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
