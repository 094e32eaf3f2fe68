"""Notes to the lead: once a document and content, none without a lead, and no answer lost over them."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import pytest

from bot.errors import StateUnavailable
from bot.lead.forgetting import Subject, SubjectKind
from bot.lead.links import NoteLink
from bot.lead.note import HELD_NOTE, HeldSource, is_note_of, note_answer, note_of, noted_document
from bot.lead.receipts import receipt_of
from bot.lead.telling import Lead, LeadTold
from bot.lexicon import LANGUAGES
from bot.messages import AcceptedMessage, Answer, Outcome, Platform, ThreadRef
from bot.questions.message_json import message_from_json, message_to_json
from bot.questions.turns import turn_of
from tests.bot.lead.test_links import Trail
from tests.fakes import FixedClock, RecordingQueue
from tests.sample_messages import answer, message

LEADS = ThreadRef(Platform.SLACK, "", "C0LEADS", "")
WHY = HeldSource("ab12", ("override", "hidden_html"))


class Finding:
    """A `Responder` whose answers found these held documents."""

    def __init__(self, *held: str) -> None:
        self.held = held

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Answer."""
        return replace(answer("nothing", outcome=Outcome.NO_MATCH), held=self.held)


class Holding:
    """An index that holds documents back, read anew for every note."""

    def __init__(self, **sources: HeldSource) -> None:
        self.sources = sources

    async def read(self, ids: Collection[str]) -> Mapping[str, HeldSource]:
        """Give those that are still held."""
        return {name: source for name, source in self.sources.items() if name in ids}


def told(*held: str, index: Holding, queue: RecordingQueue, platform: Platform = Platform.SLACK) -> LeadTold:
    """Give a responder with a lead."""
    lead = Lead(platform, "C0LEADS", index.read, "https://smba.example/teams/")
    return LeadTold(Finding(*held), queue, clock=FixedClock(5.0), lead=lead)


async def test_a_note_a_document_and_content() -> None:
    """Asked again it is not told again, whoever asks where; changed content and a second document are."""
    queue, index = RecordingQueue(), Holding(kb1=WHY)
    for asked in (message("m1"), message("m2"), replace(message("m3"), thread=ThreadRef(Platform.HTTP, "", "", "t"))):
        await told("kb1", index=index, queue=queue).respond(asked)
    index.sources["kb1"] = replace(WHY, content="cd34")
    index.sources["kb2"] = WHY
    await told("kb1", "kb2", "decided-meanwhile", index=index, queue=queue).respond(message("m4"))
    assert [(noted_document(note), note.received_at) for note in queue.messages] == [("kb1", 5), ("kb1", 5), ("kb2", 5)]
    assert {(note.thread, note.text, note.user_id, note.refusal) for note in queue.messages} == {
        (LEADS, "", "", HELD_NOTE)
    }
    assert message_from_json(message_to_json(queue.messages[0])) == queue.messages[0]


async def test_nobody_is_told_without_a_lead_or_a_held_document() -> None:
    """An answer from other sources, and a desk without a lead's channel, enqueue nothing."""
    queue = RecordingQueue()
    await told(index=Holding(kb1=WHY), queue=queue).respond(message())
    await LeadTold(Finding("kb1"), queue, clock=FixedClock(5.0), lead=None).respond(message())
    assert queue.messages == []


async def test_an_answer_outlives_a_queue_that_is_away() -> None:
    """Without Redis the note is lost for now, the answer is not; the next question tells."""
    queue, index = RecordingQueue(), Holding(kb1=WHY)
    queue.is_away = True
    given = await told("kb1", index=index, queue=queue).respond(message())
    assert given.text == "nothing"
    queue.is_away = False
    await told("kb1", index=index, queue=queue).respond(message())
    assert len(queue.messages) == 1


@pytest.mark.parametrize("asked_on", ["https://smba.trafficmanager.net/emea/", ""])
async def test_the_service_of_the_question_carries_a_note_on_teams(asked_on: str) -> None:
    """Where somebody asked on Teams his service URL is right; else Teams' own for a bot's own messages."""
    queue = RecordingQueue()
    asked = message()
    if asked_on:
        asked = replace(
            asked, thread=replace(asked.thread, platform=Platform.TEAMS), routing=(("service_url", asked_on),)
        )
    await told("kb1", index=Holding(kb1=WHY), queue=queue, platform=Platform.TEAMS).respond(asked)
    assert queue.messages[0].route("service_url") == (asked_on or "https://smba.example/teams/")


async def test_notes_left_in_the_queue_end_well_when_the_channel_is_unset() -> None:
    """After a restart without the setting a note is still a note, and no blank question."""
    note = note_of("kb-1", WHY, LEADS, language="de", at=1.0)
    given = await LeadTold(Finding(), RecordingQueue(), clock=FixedClock(5.0), lead=None).respond(note)
    assert "triage quarantine approve kb-1" in given.text
    assert (turn_of(note, given), given.citations) == (None, ())


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_note_carries_a_link_to_the_page(language: str) -> None:
    """In every language, audited, made when it is posted; without an address or Redis the note goes out without one."""
    trail = Trail()

    async def make() -> str:
        return "s3cret"

    async def away() -> str:
        raise StateUnavailable("redis")

    async def said(link: NoteLink | None) -> str:
        teller = LeadTold(Finding(), RecordingQueue(), clock=FixedClock(5.0), lead=None, link=link)
        return str((await teller.respond(note_of("kb-1", WHY, LEADS, language=language, at=1.0))).text)

    link = NoteLink("https://triage.internal/", make, trail)
    assert (await said(link)).endswith("https://triage.internal/lead?link=s3cret")
    assert trail.rows == [("lead_link_sent", {"actor": "note"})]
    plain = await said(None)
    assert "link=" not in plain
    assert plain == await said(replace(link, address="")) == await said(replace(link, make=away))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_every_language(language: str) -> None:
    """Each has its own words with the commands, the reasons and the id; none falls back to English."""
    texts = [
        str(note_answer(note_of(name, WHY, LEADS, language=language, at=1.0)).text) for name in ("kb-1", "<!here>")
    ]
    for text in texts:
        assert "override, hidden_html" in text
        assert "triage quarantine approve" in text
        assert text.isascii() == (language == "en")
    assert "triage quarantine show kb-1" in texts[0]


@pytest.mark.parametrize("name", ["<!here>", "a`b", "www.evil.example/x", "kb\n1", "@everyone", "x" * 200, "kb$(id)"])
def test_an_id_that_acts_is_not_shown(name: str) -> None:
    """An id that could ping, lead somewhere, end its code or do harm in a shell is looked up by the list instead."""
    text = note_answer(note_of(name, WHY, LEADS, language="en", at=1.0)).text
    assert name not in text
    assert "triage quarantine list" in text


def test_forgetting_knows_the_notes_of_a_document() -> None:
    """By the message, by its name alone and by its receipt; a document whose id begins alike is another one."""
    note = note_of("docs/kb-1", WHY, LEADS, language="en", at=1.0)
    receipt = receipt_of(note, note_answer(note), post_id="17.5", asker="")
    assert receipt is not None
    for name, is_own in (("docs/kb-1", True), ("docs/kb", False), ("docs", False), ("docs/kb-1/ab12", False)):
        subject = Subject(SubjectKind.DOCUMENT, name)
        found = (subject.is_message(note), subject.is_note(note.message_id), subject.is_receipt(receipt))
        assert found == (is_own,) * 3
    assert not is_note_of("note/docs", "docs")
