"""Claims of `retrieval.documents.storage_format`: macros that show text keep it, their settings go."""

import pytest

from retrieval.documents.decoding import NotText
from retrieval.documents.storage_format import storage_to_text

PAGE = """<h1>Reset</h1><p>Press <strong>Reset</strong>&nbsp;now.</p>
<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">bash</ac:parameter>
<ac:plain-text-body><![CDATA[if a < b && c > d; then <x>; fi]]></ac:plain-text-body></ac:structured-macro>
<ac:structured-macro ac:name="info"><ac:parameter ac:name="title">Mind this</ac:parameter>
<ac:rich-text-body><p>Only for admins.</p></ac:rich-text-body></ac:structured-macro>
<ac:structured-macro ac:name="toc"><ac:parameter ac:name="maxLevel">3</ac:parameter></ac:structured-macro>
<ac:task-list><ac:task><ac:task-id>44</ac:task-id><ac:task-status>incomplete</ac:task-status>
<ac:task-body>Check the plan</ac:task-body></ac:task></ac:task-list>
<p>See <ac:link><ri:page ri:content-title="Billing plans" /></ac:link> and
<ac:link><ri:page ri:content-title="Other" /><ac:plain-text-link-body><![CDATA[this <one>]]></ac:plain-text-link-body></ac:link>.</p>
<p>Until <time datetime="2026-03-01" />. <ac:image><ri:attachment ri:filename="secret.png" /></ac:image></p>
<table><tbody><tr><th>Plan</th><th>Price</th></tr><tr><td>Pro</td><td>5</td></tr></tbody></table>"""


def test_text_of_macros_stays() -> None:
    """Code with its signs, panels with their titles, tasks, link names, dates and tables; no settings and file names."""
    text = storage_to_text(PAGE)
    for part in (
        "## Reset",
        "Press Reset now.",
        "```\nif a < b && c > d; then <x>; fi\n```",
        "Mind this",
        "Only for admins.",
        "- Check the plan",
        "See Billing plans and",
        "this <one>",
        "Until 2026-03-01.",
        "| Pro | 5 |",
    ):
        assert part in text, part
    for part in ("bash", "maxLevel", "44", "incomplete", "secret.png", "CDATA"):
        assert part not in text, part


def test_a_bomb_is_named() -> None:
    """As in a page of HTML."""
    with pytest.raises(NotText, match="nested too deeply"):
        storage_to_text("<div>" * 20_000)
