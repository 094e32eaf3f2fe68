"""The rows of a table that are asked for."""

from bot.answers.tables import is_part_of, joined_rows, named_rows, names_row

HEAD = "| code | meaning |\n|---|---|"
ROWS = [
    f"| TL-{n} | Fault {word} |" for n, word in enumerate(("red", "blue", "green", "white", "black", "grey", "pink"))
]
TABLE = "\n".join([HEAD, *ROWS])


def test_of_a_long_table_the_named_row_is_left() -> None:
    """With its head; one without a match and text that is no table stay whole."""
    assert named_rows(TABLE, "What does TL-4 mean?") == f"{HEAD}\n{ROWS[4]}"
    assert named_rows(TABLE, "Green or white lamp") == f"{HEAD}\n{ROWS[2]}\n{ROWS[3]}"
    for table, question in (
        (TABLE, "Something else"),
        ("\n".join([HEAD, *ROWS[:3]]), "The blue lamp"),
        ("```\ngit push\n```", "git"),
    ):
        assert named_rows(table, question) == table


def _table(*names: str) -> str:
    return "\n".join(
        ["| | staff | students |", "|---|---|---|", *(f"| {name} | {n} | {n + 1} |" for n, name in enumerate(names))]
    )


def _kept(question: str, *names: str, own: str = "") -> list[str]:
    rows = named_rows(_table(*names), question, own).split("\n")[2:]
    return [row.split("|")[1].strip() for row in rows]


def test_a_row_is_named_by_its_first_cell() -> None:
    """Of a short table too; of two rows that share a word the one of which more is said, and every row of two things asked."""
    assert _kept("What does the floor sander cost?", "Hammer drill", "Floor sander", "Trailer") == ["Floor sander"]
    assert _kept("When does the Getafe shop open?", "City shops (Gràcia)", "Large shops (Getafe)") == [
        "Large shops (Getafe)"
    ]
    assert _kept("Is there a limit for uploads and for messages?", "Uploads", "Sessions", "Messages") == [
        "Uploads",
        "Messages",
    ]
    assert _kept("How long may a job run on gpu?", "short", "long", "gpu") == ["gpu"]
    assert _kept("An order of 50 €", "up to 500 €", "above 500 €") == ["up to 500 €", "above 500 €"]


def test_a_day_names_its_row_in_any_language() -> None:
    """Also a day between the two of a range."""
    days = ("Montag bis Donnerstag", "Freitag", "Samstag und Sonntag")
    assert _kept("When do you open on Fridays?", *days) == ["Freitag"]
    assert _kept("¿Está abierto el martes?", *days) == ["Montag bis Donnerstag"]
    assert names_row(_table(*days), "On Friday?")
    assert not names_row(_table(*days), "On the fourth day?")


def test_a_follow_up_names_its_own_row() -> None:
    """Not the one that its thread was about; one that names none keeps the row of the thread."""
    names = ("Floor sander", "Mini digger", "Trailer")
    assert _kept("floor sander weekend and the mini digger?", *names, own="and the mini digger?") == ["Mini digger"]
    assert _kept("floor sander and the deposit?", *names, own="and the deposit?") == ["Floor sander"]
    assert _kept("error LG-411 what about 409", "LG-402", "LG-409", "LG-411", own="what about 409") == ["LG-409"]


def test_pieces_of_one_table_are_one_table() -> None:
    """With each row once, in the order of the table."""
    pieces = [f"{HEAD}\n{ROWS[4]}", f"{HEAD}\n{ROWS[1]}\n{ROWS[4]}"]
    assert joined_rows(TABLE, *pieces) == f"{HEAD}\n{ROWS[1]}\n{ROWS[4]}"


def test_only_true_rows_are_part_of_a_table() -> None:
    """Head and rows word for word and in order."""
    assert is_part_of(f"{HEAD}\n{ROWS[1]}\n{ROWS[5]}", TABLE)
    assert not is_part_of(f"{HEAD}\n{ROWS[5]}\n{ROWS[1]}", TABLE)
    assert not is_part_of(f"{HEAD}\n| TL-1 | Fault gold |", TABLE)
    assert not is_part_of(ROWS[1], TABLE)
    assert not is_part_of("Any text.", "Any text. And more.")
