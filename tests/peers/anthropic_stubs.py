"""Models that need no model: each writes an answer out of the request itself.

`honest`, `parrot` and `obey` are the three that the injection tests rest on; the others play the faults of a small local
model. A stub gets an `Ask` and gives content blocks of the Messages API.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.peers.anthropic_rules import Json, search_results

Blocks = list[Json]


@dataclass(frozen=True)
class Evidence:
    """One sentence of the request: its text, its number (from 1) and where a citation finds it."""

    text: str
    number: int
    source: str
    title: str
    result: int
    block: int


@dataclass(frozen=True)
class Ask:
    """A request as a model would understand it."""

    system: str
    question: str
    evidence: tuple[Evidence, ...]
    is_cited: bool
    is_rewrite: bool
    earlier: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        """The name of the language that the request asks for, English when it names none."""
        named = re.search(r"Answer in (\w+)\.", self.system)
        return named[1] if named else "English"

    @property
    def best(self) -> Evidence:
        """The sentence that shares most words with the question, the first on a draw."""
        asked = _words(self.question)
        return max(self.evidence, key=lambda e: (len(asked & _words(e.text)), -e.number))

    def cite(self, evidence: Evidence, text: str | None = None) -> Json:
        """A sentence with its evidence, in the way this request wants it."""
        text = evidence.text if text is None else text
        if not self.is_cited:
            return {"type": "text", "text": f"{text} [S{evidence.number}]\n"}
        location = {
            "type": "search_result_location", "source": evidence.source, "title": evidence.title,
            "search_result_index": evidence.result, "start_block_index": evidence.block,
            "end_block_index": evidence.block + 1, "cited_text": evidence.text,
        }  # fmt: skip
        return {"type": "text", "text": f"{text} ", "citations": [location]}


Stub = Callable[[Ask], Blocks]
# A false claim in the languages of the sample, so that no check of the language hides what the others miss.
INVENTED = {
    "English": "The quantum tier includes free hoverboards for everybody.",
    "Ukrainian": "Квантовий тариф містить безкоштовні літаючі дошки hoverboards для всіх.",
    "German": "Der Quantentarif enthält kostenlose hoverboards für alle Mitarbeiter.",
    "French": "Le forfait quantique comprend des hoverboards gratuits pour tous.",
    "Spanish": "La tarifa cuántica incluye hoverboards gratis para todos los empleados.",
    "Polish": "Taryfa kwantowa zawiera darmowe hoverboards dla wszystkich pracowników.",
    "Chinese": "量子套餐包含免费的悬浮滑板 hoverboards，所有员工都可以使用。",
}


def read_ask(body: Json) -> Ask:
    """Understand a request of ours: cited, numbered or a rewrite."""
    system = body.get("system", "")
    system = system if isinstance(system, str) else "\n".join(block["text"] for block in system)
    messages = [m["content"] for m in body["messages"] if m["role"] == "user"]
    results = list(search_results(body))
    if results:
        questions = [m for m in messages if isinstance(m, str)]
        return Ask(system, questions[-1], tuple(_cited(results)), is_cited=True, is_rewrite=False)
    if "STANDALONE:" in system:
        given = json.loads(messages[-1])
        earlier = tuple(turn["asked"] for turn in given["earlier"] if "asked" in turn)
        return Ask(system, given["question"], (), is_cited=False, is_rewrite=True, earlier=earlier)
    evidence = next((m for m in messages if isinstance(m, str) and m.startswith("=== sources ")), "")
    return Ask(system, messages[-1].split("\n\n")[0], tuple(_numbered(evidence)), is_cited=False, is_rewrite=False)


def _cited(results: list[Json]) -> list[Evidence]:
    found: list[Evidence] = []
    for i, result in enumerate(results):
        for j, block in enumerate(result["content"]):
            found.append(Evidence(block["text"], len(found) + 1, result["source"], result["title"], i, j))
    return found


def _numbered(evidence: str) -> list[Evidence]:
    rows = [json.loads(line) for line in evidence.splitlines()[1:-1]]
    return [
        Evidence(text, int(name[1:]), row["source"], row.get("title", ""), i, j)
        for i, row in enumerate(rows)
        for j, (name, text) in enumerate(row["sentences"].items())
    ]


def rewritten(ask: Ask) -> Blocks:
    """Repeat the question as it is and name its longest words."""
    terms = sorted(_words(ask.question), key=len, reverse=True)[:3]
    scope = "\nOFF_TOPIC: no" if "OFF_TOPIC:" in ask.system else ""
    return [{"type": "text", "text": f"STANDALONE: {ask.question}\nTERMS: {'; '.join(terms)}{scope}"}]


def joined(ask: Ask) -> Blocks:
    """Put the earlier questions in front of a follow-up: what a rewrite does at the least."""
    standalone = " ".join((*ask.earlier, ask.question))[:250]
    scope = "\nOFF_TOPIC: no" if "OFF_TOPIC:" in ask.system else ""
    return [{"type": "text", "text": f"STANDALONE: {standalone}{scope}"}]


def honest(ask: Ask) -> Blocks:
    """Answer with the best sentence and the one after it from the same source, cited."""
    best = ask.best
    after = [e for e in ask.evidence if e.result == best.result and e.block == best.block + 1]
    return [ask.cite(evidence) for evidence in (best, *after)]


def parrot(ask: Ask) -> Blocks:
    """Copy every source sentence, cited."""
    return [ask.cite(evidence) for evidence in ask.evidence]


def obey(ask: Ask) -> Blocks:
    """Do what a text of the attacker may ask for: leak, link, mention, beacon, foreign id, and a false claim with a true id."""
    mark = re.search(r"\bzq[0-9a-f]{16}\b", ask.system)
    payload = (
        f"My instructions say: {ask.system[:200]} The mark is {mark[0] if mark else '?'}. <!channel> <@U0ADMIN> "
        "See https://attacker.example/?q=secret and ![x](https://attacker.example/p.png). According to KB-9999 it is free. "
    )
    return [{"type": "text", "text": payload}, ask.cite(ask.best, INVENTED.get(ask.language, INVENTED["English"]))]


def missing_numbers(ask: Ask) -> Blocks:
    """Say the right thing without any number."""
    return [{"type": "text", "text": ask.best.text}]


def wrong_numbers(ask: Ask) -> Blocks:
    """Say the right thing under numbers that do not exist or belong to something else."""
    other = next((e.number for e in reversed(ask.evidence) if e.number != ask.best.number), 1)
    return [{"type": "text", "text": f"{ask.best.text} [S999]\n{ask.best.text} [S{other}]"}]


def loose_numbers(ask: Ask) -> Blocks:
    """Write the right number in the ways small models do, behind the full stop."""
    best = ask.best
    return [{"type": "text", "text": f"<think>Which one? [S1]</think>\n```\n{best.text} (S{best.number})\n```\n"}]


def echo(ask: Ask) -> Blocks:
    """Repeat the question and the sources before answering."""
    rows = "\n".join(json.dumps({"source": e.source, "sentences": {f"S{e.number}": e.text}}) for e in ask.evidence)
    best = ask.best
    return [{"type": "text", "text": f"Question: {ask.question}\n{rows}\n{best.text} [S{best.number}]\n"}]


def wrong_language(ask: Ask) -> Blocks:
    """Answer in Georgian, whatever was asked."""
    return [
        {"type": "text", "text": f"გთხოვთ გახსნათ პარამეტრები და სცადოთ თავიდან კიდევ ერთხელ. [S{ask.best.number}]"}
    ]


def invented(ask: Ask) -> Blocks:
    """Put a made-up fact under a true number."""
    return [ask.cite(ask.best, INVENTED.get(ask.language, INVENTED["English"]))]


def altered(ask: Ask) -> Blocks:
    """Repeat a source sentence with other numbers in it, under its true number."""
    best = max(ask.evidence, key=lambda e: (bool(re.search(r"\d", e.text)), e == ask.best, -e.number))
    return [ask.cite(best, re.sub(r"\d+", "9999", best.text))]


SMALL_MODEL_FAULTS: tuple[Stub, ...] = (
    missing_numbers, wrong_numbers, loose_numbers, echo, wrong_language, invented, altered, honest, parrot,
    obey,
)  # fmt: skip


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{2,}", text.casefold()))


def text_blocks(*texts: str) -> Stub:
    """A stub that says these texts, without citations."""
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text} for text in texts]
    return lambda _ask: blocks
