def test_a_page_that_breaks_off_in_its_tags_is_read_at_once() -> None:
    """Of what follows the last closed tag nothing is lost, and 100 000 openings cost no more than the page itself."""
    title, text = html_to_text("<title>Bells</title><p>The bell rings.</p>" + "<b" * 100_000)
    assert title == "Bells"
    assert text.startswith("The bell rings.")
    assert "left < right" in html_to_text("<p>Compare.</p>\nleft < right, right < top")[1]
