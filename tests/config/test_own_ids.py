"""The settings of a desk's own ids."""

from pathlib import Path

import pytest

from config.settings import ConfigError, load_settings


def test_patterns_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A table as JSON or as a file; kept ones as a list, or one alone."""
    file = tmp_path / "ids.toml"
    file.write_text("CUSTOMER = 'K-\\d{8}'\n")
    monkeypatch.setenv("TRIAGE_KEPT_ID_PATTERNS", r'["4\\d{15}", "T-\\d{1,3}"]')
    for value in (r'{"CUSTOMER": "K-\\d{8}"}', str(file)):
        monkeypatch.setenv("TRIAGE_OWN_ID_PATTERNS", value)
        settings = load_settings(env_file=None).retrieval
        assert settings.own_id_patterns == {"CUSTOMER": r"K-\d{8}"}
        assert settings.kept_id_patterns == (r"4\d{15}", r"T-\d{1,3}")
    monkeypatch.setenv("TRIAGE_KEPT_ID_PATTERNS", r"[4]\d{15}")
    assert load_settings(env_file=None).retrieval.kept_id_patterns == (r"[4]\d{15}",)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRIAGE_OWN_ID_PATTERNS", '{"CUSTOMER": "(a+)+"}'),
        ("TRIAGE_OWN_ID_PATTERNS", '{"customer": "K"}'),
        ("TRIAGE_OWN_ID_PATTERNS", '{"CUSTOMER": 5}'),
        ("TRIAGE_OWN_ID_PATTERNS", "K-1"),
        ("TRIAGE_KEPT_ID_PATTERNS", '["(a+)+"]'),
        ("TRIAGE_KEPT_ID_PATTERNS", '["a'),
        ("TRIAGE_REDACTION_KEY", "short"),
    ],
)
def test_bad_values_name_the_variable_and_hide_themselves(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """An expression may tell what a desk's ids look like."""
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError) as refused:
        load_settings(env_file=None)
    assert name in str(refused.value)
    assert value not in str(refused.value)
