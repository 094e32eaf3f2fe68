"""Nothing that pings, loads or leads away leaves."""

import pytest

from bot.checks.closed_output import (
    has_active_markup,
    has_mention,
    hosts_of,
    is_closed,
    plain_name,
    safe_address,
    shown_title,
    urls,
    without_foreign,
    written_out,
)

SOURCES = ("https://help.example.com/reset", "See https://status.example.com/now?x=1.")


@pytest.mark.parametrize(
    "text",
    [
        "<!channel> reset it",
        "<!here|x> reset it",
        "<!subteam^S1|ops> reset it",
        "Ask <@U0BEN> first",
        "See <#C0DEV|dev>",
        "@here reset it",
        "@channel",
        "<!<b reset it",
        "<at>Everyone</at> hello",
        "<!date^0^{date}^https://evil.example|today>",
        "![x](https://evil.example/?d=1)",
        '<img src="https://evil.example">',
        "<a href='https://help.example.com/reset'>Reset</a> it",
        '<A class="b" HREF=https://help.example.com/reset>Reset</A> it',
        "<https://evil.example|https://help.example.com/reset>",
        "javascript:alert(1)",
        "slack://open",
        "Go to https://evil.example/reset",
        "Go to https://help.example.com/reset?q=data",
        "Go to https://help.example.com.evil.example/reset",
        "Go to www.evil.example",
        "Open http://help.example.com/reset",
    ],
)
def test_it_is_refused(text: str) -> None:
    """Mentions, images, hidden labels, other schemes, and addresses that no source has verbatim."""
    assert not is_closed(text, SOURCES)


@pytest.mark.parametrize(
    "text",
    [
        "Open https://help.example.com/reset.",
        "Open (https://status.example.com/now?x=1), then wait.",
        "Write to support@example.com, not to the team.",
        "Values < 5 & > 3 are fine.",
        "Use `a <b> c` there.",
    ],
)
def test_it_may_be_shown(text: str) -> None:
    """Addresses of the source, mail addresses and plain signs stay."""
    assert is_closed(text, SOURCES)


def test_urls_come_without_punctuation() -> None:
    """What follows an address is not part of it."""
    assert urls("See (https://a.example/b), or www.c.example!") == ("https://a.example/b", "www.c.example")


def test_a_mention_is_not_an_address() -> None:
    """`user@here.example` pings nobody."""
    assert not has_mention("user@here.example")
    assert not has_active_markup("the file: report.txt")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See [the page](https://evil.example/x?d=1).", "See the page (https://evil.example/x?d=1)."),
        ("See [the page](<https://evil.example/x> 'Title').", "See the page (https://evil.example/x)."),
        ("See [the page](//evil.example/x).", "See the page (//evil.example/x)."),
        ("See [https://a.example](https://a.example).", "See https://a.example."),
        ("See [https://a.example](https://b.example).", "See https://a.example (https://b.example)."),
        ("Set rows[1](a) and [x].", "Set rows[1](a) and [x]."),
    ],
)
def test_a_labelled_link_shows_where_it_leads(text: str, shown: str) -> None:
    """Label and target are both written out; what is no link stays."""
    assert written_out(text) == shown


@pytest.mark.parametrize("url", ["https://a.example/b?c=d&e=%20#f", "http://127.0.0.1:80/", "HTTPS://A.example"])
def test_a_plain_address_is_kept(url: str) -> None:
    """http(s) with a host."""
    assert safe_address(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        None,
        "javascript:alert(1)",
        " javascript:alert(1)",
        "data:text/html,x",
        "https://a.example/|<!here>",
        "https://a.example/ b",
        "https://a.example/\nb",
        "https://bank.example@evil.example/",
        "https:///b",
        "//a.example/b",
        "/a/b",
        "https://[::1",
    ],
)
def test_any_other_target_is_dropped(url: str | None) -> None:
    """Schemes that act, targets that end early, hidden hosts and no host at all."""
    assert safe_address(url) is None


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("kb-101/ä", "kb-101/ä"),
        ("Reset\n  the scale", "Reset the scale"),
        ("<!channel>", ""),
        ("Badger\n<!channel>\nscale", ""),
        ("go to https://evil.example", ""),
        ("go [there](https://", ""),
        ("go [there](h", ""),
        ("\u202eabc\x1b[31m", "abc [31m"),
    ],
)
def test_a_name_is_one_line_that_does_nothing(name: str, shown: str) -> None:
    """Ids and titles of sources stand in our own sentences, so they are held to the same."""
    assert plain_name(name) == shown


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("See https://help.example.com/a#b today.", "See https://help.example.com/a#b today."),
        ("See https://evil.example/a today.", "See […] today."),
        ("See https://help.example.com@evil.example/a today.", "See […] today."),
        ("See https://help.example.com.evil.example/a today.", "See […] today."),
        ("See https://help.example.com/go?to=https://evil.example today.", "See […] today."),
        ("See https://help.example.com/go?to=%2F%2Fevil.example today.", "See […] today."),
        ("See //evil.example/a today // with a remark.", "See […] today // with a remark."),
        ("See www.evil.example/a and http://169.254.169.254/x today.", "See […] and […] today."),
        ("See https://evil.example/a and https://evil.example/a/b today.", "See […] and […] today."),
    ],
)
def test_addresses_on_other_hosts_are_left_out(text: str, left: str) -> None:
    """Only an address on a host of the sources' own pages stays, and only when it does not lead on to another."""
    assert without_foreign(text, hosts_of(["https://help.example.com/kb", None, "javascript:alert(1)"])) == left


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Reset a password", "Reset a password"),
        ("Reset <!channel> a\npassword", "Reset a password"),
        ("Reset ![x](https://evil.example/p.png)", "Reset [x] (https:/ /evil.example/p.png)"),
        ("Reset [here](https://evil.example)", "Reset here (https:/ /evil.example)"),
        ("www.evil.example and //evil.example", "www .evil.example and / /evil.example"),
    ],
)
def test_a_title_keeps_its_words_and_loses_what_acts(title: str, shown: str) -> None:
    """A title is a name: nobody is pinged by it and no address in it is a link, while its words stay."""
    assert shown_title(title) == shown


@pytest.mark.parametrize(
    "target",
    [
        "http:evil.example",
        "https:/evil.example/x",
        "https:\\\\evil.example",
        "\\\\evil.example\\x",
        "sms:+15550100",
        "< facetime:x>",
    ],
)
def test_a_link_to_what_a_client_repairs_or_opens_is_not_shown(target: str) -> None:
    """A scheme without its slashes, backslashes, and schemes that call or write act in some client or other."""
    assert not is_closed(f"See [the page]({target}) now.", (target,))


@pytest.mark.parametrize("target", ["../reset.md", "#top", "mailto:desk@kb.example", "<../a b.md>", "img/a:b.md"])
def test_a_link_within_the_base_stays(target: str) -> None:
    """Relative places and the desk's mail address lead nowhere else."""
    assert is_closed(f"See [the page]({target}) now.", (target,))
