"""The rows of a table that are asked for."""

from bot.answers.tables import is_part_of, named_rows

HEAD = "| code | meaning |\n|---|---|"
ROWS = [
    f"| TL-{n} | Fault {word} |" for n, word in enumerate(("red", "blue", "green", "white", "black", "grey", "pink"))
]
TABLE = "\n".join([HEAD, *ROWS])


def test_of_a_long_table_the_named_row_is_left() -> None:
    """With its head; a short table, one without a match and text that is no table stay whole."""
    assert named_rows(TABLE, "What does TL-4 mean?") == f"{HEAD}\n{ROWS[4]}"
    assert named_rows(TABLE, "Green or white lamp") == f"{HEAD}\n{ROWS[2]}\n{ROWS[3]}"
    for table, question in (
        (TABLE, "Something else"),
        ("\n".join([HEAD, *ROWS[:3]]), "TL-1"),
        ("```\ngit push\n```", "git"),
    ):
        assert named_rows(table, question) == table


def test_only_true_rows_are_part_of_a_table() -> None:
    """Head and rows word for word and in order."""
    assert is_part_of(f"{HEAD}\n{ROWS[1]}\n{ROWS[5]}", TABLE)
    assert not is_part_of(f"{HEAD}\n{ROWS[5]}\n{ROWS[1]}", TABLE)
    assert not is_part_of(f"{HEAD}\n| TL-1 | Fault gold |", TABLE)
    assert not is_part_of(ROWS[1], TABLE)
    assert not is_part_of("Any text.", "Any text. And more.")
