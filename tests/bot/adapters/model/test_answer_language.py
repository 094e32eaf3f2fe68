"""Seeing that a model wrote in another language."""

import pytest

from bot.adapters.model.answer_language import is_other_language

GERMAN = "Öffnen Sie die Einstellungen und wählen Sie die Abrechnung aus, danach laden Sie alle Rechnungen als Datei herunter."


@pytest.mark.parametrize(
    ("text", "wanted", "other"),
    [
        (GERMAN, "en", True),
        (GERMAN, "de", False),
        (GERMAN, "", False),
        ("Öffnen Sie die Einstellungen.", "en", False),
        ("Відкрийте Settings і натисніть Export.", "uk", False),
        ("Відкрийте налаштування рахунків.", "en", True),
        ("Settings > Billing > Export invoices", "uk", True),
        ("OK, SSO.", "uk", False),
        ("打开设置，然后点击导出账单，等待文件下载完成。", "zh", False),
        ("打开设置，然后点击导出账单，等待文件下载完成。", "de", True),
        ("设定画面出力请求书", "ja", False),
        (
            "Откройте настройки и скачайте все счета за последний год одним файлом, затем отправьте их бухгалтеру сегодня.",
            "uk",
            True,
        ),
    ],
)
def test_only_sure_cases_count(text: str, wanted: str, other: bool) -> None:
    """Another script is seen early, another language of the same script only in longer text, and close ones never."""
    assert is_other_language(text, wanted) is other
