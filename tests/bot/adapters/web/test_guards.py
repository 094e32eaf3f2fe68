"""The private listener answers only this machine's own browser and tools."""

import pytest

from bot.adapters.web.listeners import health_routes, private_application
from tests.web_server import serving


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "kb.example.com"},
        {"Host": "127.0.0.1.attacker.example"},
        {"Host": "localhost:1:2"},
        {"Host": ""},
        {"Origin": "https://attacker.example"},
        {"Origin": "null"},
        {"Origin": "http://[::1"},
        {"Origin": "http://127.0.0.1:x]"},
        {"X-Forwarded-Port": "443"},
        {"X-Forwarded-Server": "proxy"},
        {"X-Real-IP": "203.0.113.9"},
        {"X-Client-IP": "203.0.113.9"},
        {"CF-Connecting-IP": "203.0.113.9"},
        {"True-Client-IP": "203.0.113.9"},
        {"X-Forwarded-For": "203.0.113.9"},
        {"Forwarded": "for=203.0.113.9"},
        {"Via": "1.1 proxy"},
    ],
)
async def test_foreign_or_forwarded_requests_are_refused(headers: dict[str, str]) -> None:
    """A foreign Host or Origin and any forwarding header give 403 and nothing else."""
    async with serving(private_application([health_routes(None, None)])) as client:
        response = await client.get("livez", headers=headers)
    assert response.status_code == 403
    assert response.json().keys() == {"error"}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "localhost:8700", "[::1]", "[::1]:8700"])
async def test_own_names_get_through_with_security_headers(host: str) -> None:
    """Loopback names pass, with a policy that forbids framing and foreign content."""
    async with serving(private_application([health_routes(None, None)])) as client:
        response = await client.get("livez", headers={"Host": host})
    assert response.status_code == 200
    assert "frame-ancestors 'none'" in response.headers["content-security-policy"]
    assert response.headers["cache-control"] == "no-store"


async def test_own_origin_gets_through() -> None:
    """The page's own scripts send its Origin."""
    async with serving(private_application([health_routes(None, None)])) as client:
        origin = str(client.base_url).rstrip("/")
        response = await client.get("livez", headers={"Origin": origin})
    assert response.status_code == 200
