"""Contradictions among the statements of a base."""

from datetime import date

import pytest

from retrieval.documents import Document
from retrieval.validation import find_contradictions, validate
from retrieval.validation.report import statements
from retrieval.validation.statements import statements_of

TODAY = date(2026, 11, 30)


def _ticket(name: str, question: str, resolution: str, *, product: str = "", day: str = "") -> Document:
    return Document(
        id=name,
        kind="ticket",
        title=question,
        question=question,
        resolution=resolution,
        lang="en",
        product=product,
        updated_at=day,
    )


def _pairs(*documents: Document) -> list[frozenset[str]]:
    return [frozenset(one.ids) for one in validate(documents, today=TODAY).conflicts]


def test_amounts_that_differ_in_every_case_are_no_rule() -> None:
    """What the same words say with ever other values tells single cases."""
    refunds = [
        _ticket(f"t{n}", "Refund", f"We transferred {n * 7} euros to the card of the customer.") for n in range(1, 6)
    ]
    assert _pairs(*refunds) == []


def test_another_product_is_another_case() -> None:
    """By the field as well as by a name in the text."""
    first = _ticket("a", "Drafts", "Drafts are kept for 14 days in the folder.", product="Alpha")
    second = _ticket("b", "Drafts", "Drafts are kept for 30 days in the folder.", product="Beta")
    third = _ticket("c", "Drafts", "Drafts are kept for 30 days in the folder.", product="Alpha")
    assert _pairs(first, second) == []
    assert _pairs(first, second, third) == [frozenset(("a", "c"))]


def test_confirmations_are_counted_and_decide_last() -> None:
    """Of two tickets of one day the one is preferred that a third one confirms."""
    documents = [
        _ticket("a", "Drafts", "Drafts are kept for 14 days in the folder.", day="2026-01-01"),
        _ticket("b", "Drafts", "Drafts are kept for 30 days in the folder.", day="2026-01-01"),
        _ticket("c", "Old drafts", "Drafts are kept for a month in the folder.", day="2026-01-01"),
    ]
    found = validate(documents, today=TODAY).conflicts
    preferred = {one.prefer for one in found if "b" in one.ids}
    assert preferred == {"b"}


def test_two_pages_of_a_setting_disagree_about_its_default() -> None:
    """The constants count, not the words around them."""
    pages = [
        Document(id="old", title="config color", text="- Default: true\n- Type: Boolean", lang="en"),
        Document(id="new", title="config color", text="- Default: `false`\n- Type: Boolean", lang="en"),
    ]
    (one,) = find_contradictions([s for page in pages for s in statements(page)], least=0.3).contradictions
    assert one.comparison.kind == "setting"
    assert one.comparison.values == ("true", "`false`")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Monthly plans can be refunded within 14 days.", "Monthly plans can be refunded within 30 days."),
        ("Daily backups are kept for two weeks.", "Daily backups are kept for a month."),
        ("Monatliche Berichte werden 90 Tage aufbewahrt.", "Monatlich erstellte Berichte werden 30 Tage aufbewahrt."),
        ("Щоденні копії зберігаються 14 днів.", "Щоденні копії зберігаються 30 днів."),
    ],
)
def test_how_often_is_no_agreement_on_how_long(ours: str, theirs: str) -> None:
    """Both speak of what is monthly; what differs is the time they give it."""
    first, second = Document(id="a", title="", text=ours), Document(id="b", title="", text=theirs)
    assert _pairs(first, second) == [frozenset("ab")]


def test_how_often_counts_where_nothing_else_does() -> None:
    """Daily and every 24 hours are one, daily and monthly are two."""
    texts = ("Backups are made daily.", "Backups are made every 24 hours.", "Backups are made monthly.")
    daily, hours, monthly = (Document(id=f"d{n}", title="", text=text) for n, text in enumerate(texts))
    assert _pairs(daily, hours) == []
    assert _pairs(daily, monthly) == [frozenset(("d0", "d2"))]


def test_an_empty_base_is_clean() -> None:
    """Nothing in, nothing out."""
    assert validate([], today=TODAY).is_clean
    assert find_contradictions([], least=0.3).contradictions == ()


@pytest.mark.parametrize(
    ("first", "second", "is_found"),
    [
        # A reply says yes or no to its question.
        (("Can customers pay by bank transfer?", "Not possible, we take cards only."), ("Bank transfer", "Sure, customers can pay by bank transfer."), True),
        (("Why can customers not pay by bank transfer?", "Yes, known since May."), ("Bank transfer", "Customers cannot pay by bank transfer."), False),
        # Free beside a price, but not beside an amount from which it is free.
        (("Fee of an export", "The export of data is free of charge."), ("Invoice of an export", "We charge €10 for an export of data."), True),
        (("Delivery fee", "Delivery of parcels is free of charge from 50 €."), ("Delivery", "Delivery of parcels costs 5 €."), False),
        # Days of the week, by name or all of them; hours of other days are another case.
        (("Service desk", "The service desk is open seven days a week."), ("Service desk on Sunday", "The service desk is open Monday to Friday."), True),
        (("Service desk", "The service desk is open Monday to Friday."), ("Desk", "The service desk is open on weekdays."), False),
        (("Service desk", "The service desk is open Monday to Friday, 8:00 to 18:00."), ("Desk", "The service desk is open Saturday to Sunday, 10:00 to 14:00."), False),
        # What is kept, and how it is sent.
        (("How long are drafts kept?", "Drafts are kept for 30 days."), ("How long are logs kept?", "Logs are kept for 90 days."), False),
        (("Delivery by courier", "Delivery by courier costs 9 €."), ("Delivery to a branch", "Delivery for pickup costs 6 €."), False),
        # "They" are what the sentence before names.
        (("Reset mail", "The reset links had died. They only live for one hour."), ("Reset link no longer valid", "Reset links live for 24 hours."), True),
        # A part of the whole.
        (("Laptop in the EU", "You may take the laptop abroad within the EU."), ("Laptop to Spain", "You may not take the laptop abroad to Spain."), True),
        (("Laptop in France", "You may take the laptop abroad to France."), ("Laptop to Spain", "You may not take the laptop abroad to Spain."), False),
        # One value in common, and another one that is not.
        (("Pausing", "A plan can be paused once a year for up to six weeks."), ("Breaks", "Every plan can be paused once a year for up to three months."), True),
        (("Pausing", "A plan can be paused once a year for up to six weeks."), ("Breaks", "Every plan can be paused once a year."), False),
        (("Backups", "Daily backups of the shop cost 24 €."), ("Shop", "Daily backups of the shop cost 26 €."), True),
        # What "which" speaks of.
        (("Theft", "We need a report of the police, which may follow within seven days."), ("Stolen bike", "He may hand in the report of the police within 14 days."), True),
        # A name is one in every language.
        (("Bremen", "The workshop in Bremen is open from 8:00 to 18:00."), ("Werkstatt", "Die Werkstatt in Bremen ist von 9:00 bis 17:00 geöffnet."), True),
        (("Bremen", "The workshop in Bremen is open from 8:00 to 18:00."), ("Werkstatt", "Die Werkstatt in Kiel ist von 9:00 bis 17:00 geöffnet."), False),
        # "Extra" is not what is counted.
        (("Seats on Starter", "Starter comes with one extra seat."), ("Seats", "On Starter you have three seats."), True),
    ],
)  # fmt: skip
def test_kinds_of_statements_that_contradict(first: tuple[str, str], second: tuple[str, str], is_found: bool) -> None:
    """Each beside a neighbour that only looks like it."""
    pair = [_ticket("a", *first), _ticket("b", *second)]
    assert bool(_pairs(*pair)) is is_found


def test_two_times_of_one_rule_are_no_two_cases() -> None:
    """Two opening hours hold four times; two more of other words would be cases."""
    first = _ticket("a", "Chat", "The chat is open from 8:00 to 20:00.")
    second = _ticket("b", "Chat opening hours", "The chat is open from 9:00 to 18:00.")
    assert _pairs(first, second) == [frozenset(("a", "b"))]


def test_the_same_value_in_other_words_does_not_scatter() -> None:
    """One that is contradicted by 30 days in three languages is contradicted by one value."""
    documents = [
        _ticket("a", "Recordings", "Recordings of calls are kept for 90 days."),
        _ticket("b", "Recordings", "Recordings of calls are kept for 30 days."),
        _ticket("c", "Recordings", "Recordings of calls are kept for thirty days."),
        _ticket("d", "Recordings", "Recordings of calls are kept for one month."),
    ]
    assert {name for pair in _pairs(*documents) for name in pair} >= {"a"}


def test_small_words_that_look_like_plans_and_regions_name_none() -> None:
    """German "pro Kurs" is no plan Pro, and "write to us" no region."""
    (german,) = statements_of("a", "Pro Kurs sind höchstens acht Kinder erlaubt.", lang="de")
    (english,) = statements_of("b", "They can write to us and the Pro plan has 20 seats.", lang="en")
    assert not [name for name in german.scopes if name.startswith("plan:")]
    assert {name for name in english.scopes if name.startswith(("plan:", "region:"))} == {"plan:pro"}
