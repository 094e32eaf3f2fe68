"""Which addresses a slash command may make the bot call."""

from urllib.parse import urlsplit

_SLACK_HOSTS = ("slack.com", "slack-gov.com")


def is_response_url(url: str, base_url: str) -> bool:
    """Tell whether the URL is Slack's, over https, or on the host that the Web API is configured to be."""
    try:
        given, api = urlsplit(url), urlsplit(base_url)
    except ValueError:
        return False
    host = given.hostname or ""
    is_api = (given.scheme, host) == (api.scheme, api.hostname)
    is_slack = given.scheme == "https" and any(host == name or host.endswith(f".{name}") for name in _SLACK_HOSTS)
    return bool(host) and not given.username and (is_api or is_slack)
