"""What people thank for: words behind a word of thanks that make it no question ("merci de votre aide", "thanks for the quick reply")."""

KIND_WORDS: dict[str, frozenset[str]] = {
    code: frozenset(words.split())
    for code, words in {
        "en": "help helping answer answers answering reply response responding time effort support assistance explanation explaining patience"
        " info information tip tips advice kindness clarification clarifying quick fast prompt speedy swift great good nice kind kindly lovely"
        " helpful useful detailed clear brilliant amazing excellent attention work bot mate team everything",
        "uk": "допомогу допомога відповідь відповіді час підтримку пояснення роз'яснення терпіння пораду інформацію увагу швидку чудову корисну"
        " гарну детальну оперативну все роботу турботу",
        "ru": "помощь ответ ответы время поддержку объяснение разъяснение терпение совет информацию внимание быстрый быструю отличный полезный"
        " подробный оперативный оперативную всё работу заботу",
        "de": "hilfe unterstützung antwort antworten zeit mühe erklärung geduld info infos information informationen tipp rat rückmeldung schnelle"
        " schnellen rasche prompte gute tolle freundliche nützliche ausführliche hilfreiche aufmerksamkeit arbeit alles",
        "fr": "aide réponse réponses temps soutien explication explications patience conseil conseils info infos information informations rapide"
        " rapidité précieuse bonne super votre ton attention travail tout éclaircissement précisions",
        "es": "ayuda respuesta respuestas tiempo apoyo explicación paciencia consejo consejos información rápida rápido buena útil amable atención"
        " trabajo todo aclaración amabilidad",
        "pl": "pomoc odpowiedź odpowiedzi czas wsparcie wyjaśnienie wyjaśnienia cierpliwość radę informację informacje szybką szybka dobrą cenną"
        " wszystko uwagę pracę",
        "pt": "ajuda resposta respostas tempo apoio suporte explicação paciência dica dicas informação informações rápida rápido boa útil atenção"
        " trabalho tudo esclarecimento gentileza",
        "zh": "帮助 帮忙 回答 回复 支持 解答 耐心 解释 您的 你的 时间 协助 快速 及时 指导",
        "ja": "ご対応 対応 ご回答 回答 ご返信 返信 ご支援 支援 説明 ご説明 サポート 助け ご協力 協力 迅速 丁寧 お時間 手伝い 教え 早速",
    }.items()
}
