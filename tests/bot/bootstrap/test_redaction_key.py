"""The secret behind marks: from the settings, else kept in the data folder."""

from pathlib import Path

from bot.bootstrap.redaction_key import FILE, redaction_key
from config.settings import RetrievalSettings


def _settings(folder: Path, **values: object) -> RetrievalSettings:
    return RetrievalSettings(data_dir=folder, **values)  # type: ignore[arg-type]


def test_is_made_once_and_private(tmp_path: Path) -> None:
    """A second process reads what the first wrote; nobody else may."""
    key = redaction_key(_settings(tmp_path / "new"))
    assert len(key) == 32
    assert redaction_key(_settings(tmp_path / "new")) == key
    assert (tmp_path / "new" / FILE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "new").iterdir()] == [FILE]


def test_a_file_cut_short_is_made_anew(tmp_path: Path) -> None:
    """A full disk leaves no empty key in use."""
    (tmp_path / FILE).write_bytes(b"short")
    key = redaction_key(_settings(tmp_path))
    assert len(key) == 32
    assert (tmp_path / FILE).read_bytes() == key


def test_the_setting_wins(tmp_path: Path) -> None:
    """Processes without a common folder share the key of their settings; nothing is written."""
    assert redaction_key(_settings(tmp_path, redaction_key="sixteen letters!")) == b"sixteen letters!"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    """The key then lives as long as the process."""
    (tmp_path / "file").write_text("")
    assert len(redaction_key(_settings(tmp_path / "file" / "below"))) == 32
