"""The one import of the Teams SDK, made harmless.

Importing `microsoft_teams.apps` loads a `.env` found from the working directory upwards into the environment of the
process, and the SDK's application object reads `DANGEROUSLY_ALLOW_UNAUTHENTICATED_REQUESTS`, `CLIENT_SECRET` and others
from there. So the loading is switched off for the import, and that object is never built: the token validator, the
models and the client of the Bot Connector are what is used.
"""

import os
import warnings

_DOTENV_SWITCH = "PYTHON_DOTENV_DISABLED"
_before = os.environ.get(_DOTENV_SWITCH)
os.environ[_DOTENV_SWITCH] = "1"
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package warns of its own previews while it is imported
        from microsoft_teams.api import ApiClient, JsonWebToken
        from microsoft_teams.api.activities.message import MessageActivityInput
        from microsoft_teams.api.auth.cloud_environment import PUBLIC, CloudEnvironment, with_overrides
        from microsoft_teams.api.models.entity import CitationAppearance
        from microsoft_teams.apps.auth import TokenValidator
        from microsoft_teams.common import Client, ClientOptions
finally:
    if _before is None:
        del os.environ[_DOTENV_SWITCH]
    else:
        os.environ[_DOTENV_SWITCH] = _before

__all__ = [
    "PUBLIC",
    "ApiClient",
    "CitationAppearance",
    "Client",
    "ClientOptions",
    "CloudEnvironment",
    "JsonWebToken",
    "MessageActivityInput",
    "TokenValidator",
    "with_overrides",
]
