"""Requests to make or play something, in ten languages, and support questions that look like them."""

import pytest

from bot.questions.play import play_words_of


@pytest.mark.parametrize(
    "text",
    """write me a poem about invoices
tell me a joke about refunds
write a haiku about refunds
translate 'invoice' to french
compose a song
Let's role-play: you are the customer
role-play a furious customer
can you please tell me a short funny joke
a haiku about refunds please
Schreib mir ein Gedicht über Rechnungen
Kannst du mir bitte ein Gedicht über Rechnungen schreiben?
Erzähl mir einen Witz über Rückerstattungen
Übersetze "Rechnung" ins Französische
écris un poème sur les factures
raconte-moi une blague sur les remboursements
peux-tu m'écrire un haïku sur les factures ?
traduis « facture » en anglais
escribe un poema sobre facturas
cuéntame un chiste de reembolsos
traduce "factura" al inglés
napisz wiersz o fakturach
opowiedz mi dowcip o zwrotach
przetłumacz „faktura” na angielski
escreva um poema sobre faturas
conta uma piada sobre reembolsos
напиши вірш про рахунки
розкажи анекдот про повернення коштів
переклади «рахунок» французькою
напиши стих про счета
расскажи шутку про возврат
写一首关于发票的诗
讲个关于退款的笑话
把“发票”翻译成法语
角色扮演:你是客户
請求書の俳句を書いて
返金の冗談を言って
「請求書」をフランス語に翻訳して""".splitlines(),
)
def test_made_and_played(text: str) -> None:
    """An order to make what no desk makes is known by its form, whatever it is about."""
    assert play_words_of(text)


@pytest.mark.parametrize(
    "text",
    """write an invoice
translate the shop
create a song list
create a playlist of songs
how do I write a poem in the editor
can I tell a story on my page
make the story public
translate my site to French
how do I translate "Add to cart"?
give a refund to the customer
tell me about refunds
tell me the refund story: customer was charged twice
tell me a joke and how do I reset my password?
schreib eine Rechnung
Geschichte der Rechnungen anzeigen
historia płatności
historia de pagos
conta bloqueada
what does act as admin mean
please
歌词怎么显示
如何写故事
俳句を書く方法""".splitlines(),
)
def test_support_questions(text: str) -> None:
    """What a product makes, lists and histories, and questions how something is done are no play."""
    assert play_words_of(text) == ()


def test_a_long_message_is_no_request_to_play() -> None:
    """A story has more to say than its first words."""
    assert play_words_of("tell me a joke " + "about the invoice of the customer " * 6) == ()
    assert play_words_of("写一首诗" + "关于发票" * 20 + "的诗") == ()
