"""Settings from an environment that holds nothing else of ours."""

import pytest

from config.settings import Settings, load_settings, variable_names


def settings_of(**environment: str) -> Settings:
    """Read the settings as a process with exactly these variables would."""
    with pytest.MonkeyPatch.context() as patch:
        for name in variable_names():
            patch.delenv(name, raising=False)
        for name, value in environment.items():
            patch.setenv(name, value)
        return load_settings(None)
