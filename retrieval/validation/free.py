"""What costs nothing as an amount of money, and amounts from which something else holds ("free from 50 €")."""

import re

from retrieval.validation.value import Scanned

# "Free" alone is said of trials, plans, seats and hands.
_FREE = re.compile(
    r"(?i)\b(?:free of charge|for free|(?:is|are|remains?|stays?) (?:always |completely |entirely )?free(?! (?:to|for|up|of (?!charge)))\b|no (?:charge|fee|fees|costs?)\b"
    r"|(?:at no|without) (?:extra |additional )?(?:charge|costs?|fees?)|costs? nothing|kostenlos\w{0,2}|kostenfrei\w{0,2}|gebührenfrei\w{0,2}|gratis|umsonst|keine (?:gebühr\w*|kosten)|ohne (?:gebühr\w*|aufpreis|kosten)|kostet nichts"
    r"|безкоштовн\w+|без (?:оплати|комісії|доплати|оплаты|комиссии|доплаты)|бесплатн\w+|gratuit\w*|sin (?:cargo|coste|costo|comisión)|no se (?:le )?cobra nada|sans (?:frais|supplément)"
    r"|grátis|sem (?:custo|taxa)|bezpłatn\w+|za darmo|darmow\w+|bez opłat\w*)|免费|無料"
)
# One of these stands in whatever the expression finds.
_FREE_CUES = ("free", "charge", "cost", "fee", "kost", "gebühr", "gratis", "umsonst", "aufpreis", "коштовн", "без ", "бесплатн", "gratuit",
              "sin c", "cobra nada", "sans ", "grátis", "sem ", "bezpłatn", "darmo", "bez opłat", "免费", "無料")  # fmt: skip
_FROM = re.compile(
    r"(?i)(?:\b(?:from|over|above|exceed\w*|at least|minimum|ab|über|mindestens|від|понад|от|свыше|desde|a partir de|superior\w* a|más de|mínimo|à partir de|dès|od|powyżej|acima de)\s+(?:\S+\s+){0,2}?(?:(?:von|of|de|w|im wert von)\s+)?[€$£]?\s*)$"
)
THRESHOLD = "threshold"


def take_free(text: Scanned) -> None:
    """Take "free of charge" as no money, where the clause names no amount: "free from 50 €" says when it is."""
    if not text.has_any(_FREE_CUES) or any(value.kind == "money" for value in text.found):
        return
    if match := _FREE.search(text.left):
        text.take(*match.span(), "money", (0.0, 0.0))


def is_threshold(before: str) -> bool:
    """Say whether the words before an amount make it one from which something holds."""
    return bool(_FROM.search(before[-40:]))
