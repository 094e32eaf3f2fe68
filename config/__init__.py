"""Settings, logs and the bundled sample: what the processes start from."""

from config.settings import ConfigError, Settings, load_settings

__all__ = ["ConfigError", "Settings", "load_settings"]
