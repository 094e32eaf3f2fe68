"""HTML pages that break off."""

from retrieval.documents.html import html_to_text


def test_a_page_that_breaks_off_in_its_tags_is_read_at_once() -> None:
    """Of what follows the last closed tag nothing is lost; for each of the openings the parser would read on to the end."""
    title, text = html_to_text("<title>Bells</title><p>The bell rings.</p>" + "<b" * 40_000)
    assert title == "Bells"
    assert "The bell rings." in text
    assert "left < right" in html_to_text("<p>Compare.</p>\nleft < right, right < top")[1]
