"""The conversations that every door must hold: what is said, and what must be seen. From the bundled sample."""

from dataclasses import dataclass

from bot.messages import NoticeKind, Outcome


@dataclass(frozen=True, slots=True)
class Turn:
    """One message and what its reply must show.

    `cites_any` are ids of which at least one is cited; without them nothing may be cited. Empty `text` is a bare mention.
    """

    text: str
    outcome: Outcome = Outcome.ANSWERED
    cites_any: tuple[str, ...] = ()
    language: str = "en"
    thread: str = "one"
    notices: tuple[NoticeKind, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """Turns in order; those of one thread stand together. `hidden` must not come back, nor be stored anywhere."""

    name: str
    turns: tuple[Turn, ...]
    hidden: tuple[str, ...] = ()


LONG = "How do I install the Till app on an iPad? " * 120
PRIVATE = ("marta.new@fern-shop.example", "+44 20 7946 0321", "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00")

SCENARIOS = (
    Scenario(
        "question, follow-up, thanks",
        (
            Turn("How do I install the Till app on an iPad?", cites_any=("kb-109",)),
            Turn("And on Android?", cites_any=("kb-109",)),
            Turn("thanks, that did it", Outcome.COURTESY),
        ),
    ),
    Scenario(
        "two threads stay apart",
        (
            Turn("What does the Starter plan cost per month?", cites_any=("kb-110",)),
            Turn("Як колегам обмінятися змінами?", cites_any=("kb-133",), language="uk", thread="two"),
            Turn("а коли це неможливо?", cites_any=("kb-133",), language="uk", thread="two"),
        ),
    ),
    Scenario(
        "one article in three languages, by its error code",
        (
            Turn("What does TL-2203 mean?", cites_any=("kb-102",)),
            Turn("Що означає TL-2203?", cites_any=("kb-102",), language="uk", thread="two"),
            Turn("TL-2203 是什么意思？", cites_any=("kb-102",), language="zh", thread="three"),
        ),
    ),
    Scenario(
        "one article in three languages, by its meaning",
        (
            Turn("How do I delete our organisation with all its data?", cites_any=("kb-120",)),
            Turn("Як видалити організацію разом з усіма даними?", cites_any=("kb-120",), language="uk", thread="two"),
            Turn("怎么删除我们公司的账户和全部数据？", cites_any=("kb-120",), language="zh", thread="three"),
        ),
    ),
    Scenario(
        "off-topic",
        (
            Turn("Write a limerick about a lazy cat", Outcome.OFF_TOPIC),
            Turn("Яка завтра погода у Львові?", Outcome.OFF_TOPIC, language="uk", thread="two"),
        ),
    ),
    Scenario(
        "asked for something that no source holds",
        (Turn("Can customers pay with a gift voucher at the till?", Outcome.NO_MATCH),),
    ),
    Scenario(
        "thanks and a greeting", (Turn("hello", Outcome.COURTESY), Turn("Дякую!", Outcome.COURTESY, language="uk"))
    ),
    Scenario(
        "a bare mention, then the question",
        (Turn("", Outcome.CLARIFY), Turn("How do we reset a forgotten console password?", cites_any=("kb-101",))),
    ),
    Scenario(
        "a question with personal data",
        (
            Turn(
                "How do we reset a forgotten console password? My mail is {}, my phone {}, my card {}, IBAN {}.".format(
                    *PRIVATE
                ),
                cites_any=("kb-101",),
            ),
        ),
        hidden=PRIVATE,
    ),
    Scenario(
        "a question of 5 000 characters",
        (Turn(LONG, cites_any=("kb-109",), notices=(NoticeKind.TRUNCATED,)),),
    ),
)
