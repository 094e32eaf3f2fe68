"""What planted text says: orders to whoever reads it as a model. Each signal has a weight between 0 and 1.

Pattern lists find a fraction of the attacks that are known (14 to 25 % of the public sets, measured for lists like
this one): they make a report and hold back the obvious. What keeps the others harmless is the closed output.
Expressions run on the skeleton of a text (Latin letters) or on its plain lower-case copy (other scripts).
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signal:
    """One kind of evidence: the reason that a person reads, its weight (0 to 1), and the expression."""

    reason: str
    weight: float
    pattern: re.Pattern[str]


def _signal(reason: str, weight: float, *parts: str) -> Signal:
    return Signal(reason, weight, re.compile("|".join(parts)))


_MODEL = r"(?:a\.?i\.?|llms?|language models?|large language models?|assistants?|chat ?bots?|bots?|(?:helper|support|triage|answer(?:ing)?) ?(?:bot|agent|assistant|model)s?|gpt|claude|model)"
_INSTRUCTIONS = r"(?:i[a-z]?ns?tructions?|directions?|directives?|prompts?|rules|guidelines|guardrails|commands|orders|restrictions)"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|former|initial|original|existing|system)"
_REPLY = r"(?:answer|response|reply|output|summary|elucidation|explanation)"

# Latin letters, on the skeleton.
LATIN_SIGNALS = (
    _signal(
        "override",
        0.9,
        rf"\b(?:ignore|disregard|forget|overlook|override|neglect|discard|skip|(?:do not|don'?t|stop) (?:follow|obey)(?:ing)?)\b(?: \w+){{0,4}}? (?:{_EARLIER}|your|you were given)(?: \w+){{0,2}}? {_INSTRUCTIONS}\b",
        rf"\b(?:ignore|disregard|forget|overlook|override)\b(?: \w+){{0,3}} {_INSTRUCTIONS}(?: (?:above|before|so far|you (?:were|have been|got|received)|given to you)\b|,? and (?:just |only |instead |then )?(?:print|say|reply|respond|answer|output|write|translate)\b)",
        r"\b(?:ignore|disregard|forget|skip|overlook|discard)\b(?: \w+){0,4}? (?:everything|all|anything|whatever)(?: that| what)?(?: you (?:were|have been|are)|'?ve been| you'?ve been)(?: \w+){0,2} (?:told|instructed|given|taught|asked|said)\b",
        r"\b(?:ignore|disregard|forget) (?:the rest of|everything (?:above|before)|all (?:info|information|data|text|context|content)s? (?:above|before|except))\b",
        r"\bignore them and (?:instead )?(?:focus|print|say|reply|do)\b",
        r"\b(?:ignora|ignorez|oublie[rz]?|olvida|olvide|ignore|ignorem|esqueca|desconsidere|dimentica|dimenticate|ignorate)\b(?: \w+){0,4} (?:instructions|consignes|directives|regles|instrucciones|ordenes|reglas|indicaciones|instrucoes|ordens|regras|orientacoes|istruzioni|regole|indicazioni)(?: \w+){0,3}? (?:preceden\w{1,4}|anterieur\w{0,2}|anterior\w{0,2}|previ[ao]s|precedent[ei]|ci-dessus|acima|arriba|qui sopra)\b",
        r"\bignora (?:tutto cio|todo lo) (?:che|que)\b",
        r"\b(?:ignorier\w{0,3}|vergiss|vergesst|vergessen sie|missachte\w{0,2}|ubergeh\w{0,2}|beachte\w{0,2} nicht)\b(?: \w+){0,4}? (?:vorherig\w{1,2}|bisherig\w{1,2}|obig\w{1,2}|alle|fruher\w{1,3}|vorangegangen\w{1,2}|vorig\w{1,2}|deine|ihre)(?: \w+){0,3}? (?:anweisung\w{0,2}|instruktion\w{0,2}|regeln?|befehle?|vorgaben?)\b",
        r"\b(?:zignoruj|ignoruj|zapomnij|pomin|zignorujcie)\b(?: \w+){0,4}? (?:poprzedni\w{1,3}|wczesniejsz\w{1,3}|wszystki\w{1,2}|powyzsz\w{1,3})(?: \w+){0,2}? (?:instrukcj\w{1,2}|polecen\w{1,3}|zasad\w?|wytyczn\w{1,3})\b",
        r"\bonceki (?:tum )?(?:talimat|komut)\w{0,8}[^.\n]{0,24}(?:yok say|gormezden gel|unut)",
    ),
    _signal(
        "note_to_assistant",
        0.7,
        rf"(?:^|[\n.!?:;>\"'(\]|*-])\s{{0,3}}(?:(?:an?|important|special|secret|private|urgent|the following) ){{0,2}}(?:notes?|messages?|hints?|instructions?|attention|reminders?|memo|advice|tip|info|information),? (?:to|for) (?:the |any |all |you,? |our )?(?:\w+ )?{_MODEL}\b",
        r"\b(?:to you,? |dear |hey,? |attention,? )(?:the |any |all )?(?:ai )?(?:assistants?|chatbots?|language models?|llms?|ai|bot)\b",
        r"\b(?:if|as|since|because) you(?:'re| are) (?:an?|the) (?:a\.?i\.?\b|llm|language model|large language model|chatbot|(?:ai|virtual|helper|support) (?:assistant|bot|model))",
        r"\binvisible to (?:the )?(?:humans?|people|readers?|users?)\b|\bvisible (?:only )?to (?:the )?(?:llms?|ai\b|language models?|the model)",
        r"\b(?:for|by) automated (?:screening|answering|summari[sz]ation) systems?:",
        r"\bbefore you (?:can )?(?:solve|answer|complete|start|continue)(?: \w+){0,3} (?:task|question|request|anything)\b[^.\n]{0,60}\b(?:do|first)\b",
        r"\bnote pour l'?(?:ia|assistant|agent|bot)|\bnota para (?:la ia|el asistente|el bot|a ia|o assistente|o bot)|\bnota per (?:l'?(?:ia|assistente)|il bot)",
        r"\b(?:hinweis|nachricht|anweisung|notiz|achtung|tipp)\w{0,2},? (?:an|fur) (?:den |die |das |alle )?(?:ki|bots?|assistent\w{0,2}|chatbots?|sprachmodell\w?|helfer-?bots?|hilfs-?bots?)\b",
        r"\bwenn du (?:eine? )?(?:ki|sprachmodell|bot|chatbot|assistent)\b|\bjesli jestes (?:sztuczna inteligencja|modelem|botem)|\buwaga dla (?:ai|bota|asystenta|modelu)",
    ),
    _signal(
        "steers_the_answer",
        0.62,
        rf"\b(?:add|include|insert|append|mention|suggest|recommend|tease|refer|put|place|embed|integrate|incorporate|introduce|use|validate|provide)\b(?:[^.\n]|\.(?=\S)){{0,80}}\b(?:in|into|to|with|of|for|as part of) (?:your|the final|each|every) (?:next |final |own )?{_REPLY}\b",
        rf"\b(?:in|at the (?:end|start|beginning|top) of|throughout) your (?:next |final |own )?{_REPLY},? (?:\w+ )?(?:add|include|insert|mention|suggest|recommend|tease|always|only|use|say|write|begin|end|refer|hint)\b",
        rf"\b(?:modify|augment|enhance|rearrange|encrypt|render|express|rewrite|anagram|encode|translate|scramble|shift|represent|shape|tailor|structure|supplement|spice|enrich|conclude|begin|start|end|finish) (?:\w+ ){{0,6}}?your (?:next |final |own )?{_REPLY}\b(?! (?:to|from|of|for) the| (?:type|node|file))",
        rf"\b(?:provide|give|write|deliver|present|convert|turn|put|replace|substitute|use)\b[^.\n]{{0,60}}\byour (?:\w+ )?{_REPLY}\b",
        r"\b(?:reply|respond|answer)(?: \w+){0,2} (?:only|just|exclusively|simply)? ?(?:with|in|using) (?:only |just )?(?:the (?:word|phrase|sentence|following (?:text|word|sentence|phrase))|only|exactly|nothing but|\"|“|')",
        r"\b(?:simply|only|just) (?:respond|reply|answer|output|print|say) (?:with )?[\"“'«]",
        r"\band absolutely nothing else\b|\boverride (?:manual|your|the) (?:scoring|settings|judg\w{1,6}) and\b|\bif (?:the )?(?:user|customer|asker|anyone) asks?\b[^.\n]{0,60}\b(?:reply|respond|answer|say|tell)\b",
        r"\bif (?:asked|questioned)\b[^.\n]{0,60}\b(?:respond|reply|answer|report|say) (?:that|with)\b",
        r"\brepeat the following (?:sentence|text|words)\b|\bprovide it to the user\b|\bfocus (?:only|exclusively) on the (?:following )?information\b",
        r"\b(?:antworte|antworten sie) (?:nur|ausschliesslich|einfach) mit\b|\bin deiner antwort\b|\breponds? (?:uniquement|seulement) (?:par|avec)\b|\bdans ta reponse\b|\bresponde (?:solo|unicamente|apenas|somente) (?:con|com)\b|\ben tu respuesta\b|\bna sua resposta\b|\bodpowiedz (?:tylko|wylacznie)\b|\bw swojej odpowiedzi\b",
        r"\b(?:your|the) (?:solution|implementation|code|codebase|algorithm|elucidation|solution architecture|logic of your algorithm)\b[^.\n]{0,60}(?<!in the )\b(?:following|below|subsequent) code (?:snippet|block|excerpt|section)\b",
        r"\b(?:following|below|subsequent) code (?:snippet|block|excerpt|section)s?\b[^.\n]{0,80}\byour (?:\w+ )?(?:solution|implementation|code|codebase|algorithm|elucidation|response)\b",
    ),
    _signal(
        "asks_for_the_prompt",
        0.7,
        r"\b(?:reveal|print|show|repeat|display|leak|dump|tell|write|quote|give|output|recite|disclose|send)\b[^.\n]{0,40}\b(?:your|the) (?:full |entire |exact |own |complete |first \w+ of (?:your )?)?(?:system prompt|(?:system|initial|hidden|secret|original) (?:instructions|prompt|message|configuration)|instructions verbatim|prompt verbatim)",
        r"\b(?:write|print|repeat|quote|show|give|tell|recite)\b[^.\n]{0,24}\byour (?:first|last|second) (?:paragraph|sentence|line|word|\w+)s? of (?:your )?(?:instructions|prompt)\b",
        r"\b(?:reveal|print|repeat|leak|recite|disclose)\b[^.\n]{0,24}\byour (?:instructions|prompt|rules|configuration)\b",
        r"\b(?:zeige?|gib|schreibe?|verrate?|wiederhole?)\b[^.\n]{0,40}(?:system-?prompt|deine (?:anweisungen|instruktionen|vorgaben))",
    ),
    _signal(
        "other_role",
        0.6,
        r"\byou are (?:now|no longer)(?: \w+){0,2} (?:unrestricted|jailbroken|dan\b|evil|uncensored|in (?:developer|god|admin|debug|maintenance|diagnostics?|root|dan) mode|bound by|limited by|required to follow)",
        r"\b(?:act|speak|behave|answer|respond|proceed|continue) as (?:an? |the )?(?:unrestricted|uncensored|jailbroken|evil|admin(?:istrator)? with|system administrator|root user|dan\b)",
        r"\b(?:developer|god|maintenance|diagnostics?|debug|admin|jailbreak|dan|system) mode(?: is)?(?: now)? ?(?:on\b|activated|initiated|unlocked|:|>|\])(?! ?\w+ ?=)",
        r"\bnow speak as\b|\bpretend (?:that )?you (?:are|have) (?:no|not|an unrestricted|free)\b",
    ),
    _signal(
        "hides_from_the_reader",
        0.45,
        r"\b(?:do not|don'?t|never|without) (?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|disclose|disclosing|show|alert|alerting|notify)(?: (?:this|that|it|any of this|anything|the above))?(?: \w+)? (?:the )?(?:user|asker|customer|human|person|reader)s?\b",
    ),
    _signal(
        "asks_for_credentials",
        0.65,
        r"\b(?:tell|ask|instruct|direct|urge|advise) (?:the |all |every )?(?:users?|customers?|agents?|asker|them|people) to (?:re-?enter|enter|send|confirm|provide|submit|share|type|give|verify)(?: \w+){0,3} (?:passwords?|credentials|card (?:number|details)|pin|security code|login|bank)",
    ),
    _signal(
        "sends_data_out",
        0.5,
        r"\b(?:send|forward|post|upload|append|transmit|exfiltrate|leak|concatenate|encode)\b[^.\n]{0,60}\b(?:conversation|chat history|all messages|previous messages|messages from all|user'?s? (?:data|email|phone|password|messages?)|customer'?s? (?:e-?mails?|data|phone|details)|context window|system prompt|secrets?|what (?:the )?(?:user|customer) (?:said|asked))\b[^.\n]{0,60}(?:to|at|into|as|on|in)\b",
    ),
    _signal("new_instruction", 0.5, r"(?:^|[\n.}>\])] ?)(?:new|updated|real|actual|additional) (?:system )?instructions?\s?:"),
    _signal("claims_authority", 0.25, r"\b(?:important|critical|urgent|attention)\s?!{2,}", r"\bthis (?:is an important message|overrides|supersedes all)\b", r"\byou may not deviate\b"),
)  # fmt: skip

# Other scripts, on the plain lower-case copy.
OTHER_SIGNALS = (
    _signal(
        "override",
        0.9,
        r"(?:ігноруй|проігноруй|не зважай|забудь|відкинь|знехтуй|пропусти|не виконуй|не дотримуйся)(?:те)?\b[^.\n]{0,48}(?:попередн|вищ|усі\b|всі\b|твої|свої|ваші|раніше|дотепер)[^.\n]{0,32}(?:інструкц|вказівк|правил|наказ|команд|настанов|сказан|казали|говорили)",
        r"(?:забудь|ігноруй|відкинь)(?:те)? (?:все|усе),? (?:що|про що)\b[^.\n]{0,30}(?:казал|сказан|говорил|наказ|раніше)",
        r"(?:игнорируй|проигнорируй|не обращай внимания|забудь|отбрось|пропусти|не выполняй|не следуй|не соблюдай)(?:те)?\b[^.\n]{0,48}(?:предыдущ|выше|все\b|всех\b|твои|свои|ваши|ранее|прежн|прошл)[^.\n]{0,32}(?:инструкц|указани|правил|приказ|команд|распоряжени|сказан|говорили)",
        r"(?:забудь|игнорируй)(?:те)? (?:всё|все),? что\b[^.\n]{0,30}(?:говорил|сказан|сказал|велел|раньше|прежде)",
        r"(?:忽略|无视|忘记|忘掉|不要理会|忽視)[^。\n]{0,14}(?:之前|以上|先前|前面|上述|所有|以前)[^。\n]{0,10}(?:指令|指示|说明|提示|规则|命令|要求|內容|内容)",
        r"(?:以前|これまで|上記|前|すべて|全て)の?[^。\n]{0,10}(?:指示|命令|ルール|指令|プロンプト)[^。\n]{0,8}(?:無視|忘れ)",
        r"(?:이전|위의?|앞의|모든)[^.\n]{0,10}(?:지시|명령|지침|프롬프트)[^.\n]{0,10}(?:무시|잊)",
        r"(?:تجاهل|انس)[^.\n]{0,24}(?:التعليمات|الأوامر|تعليماتك|القواعد)",
        r"(?:पिछले|सभी|उपरोक्त)[^।\n]{0,24}निर्देश[^।\n]{0,24}(?:अनदेखा|नज़रअंदाज़|भूल)",
        r"(?:התעלם|שכח)[^.\n]{0,20}(?:ההוראות|ההנחיות|הכללים)",
    ),
    _signal(
        "note_to_assistant",
        0.7,
        r"(?:примітк|підказк|інструкці|повідомленн|увага|порад|нотатк)\w{0,2},? для (?:ші\b|штучного інтелекту|(?:чат-?)?бота|асистента|помічника|(?:мовної )?моделі|аі\b)",
        r"якщо ти (?:ші\b|штучний інтелект|мовна модель|(?:чат-?)?бот|асистент)",
        r"(?:примечани|подсказк|заметк|сообщени|инструкци|внимание|совет)\w{0,2},? для (?:ии\b|искусственного интеллекта|(?:чат-?)?бота|ассистента|помощника|(?:языковой )?модели|нейросети)",
        r"если ты (?:ии\b|искусственный интеллект|языковая модель|нейросеть|(?:чат-?)?бот|ассистент)",
        r"(?:给|致)(?:ai|人工智能|助手|机器人|模型)的?(?:说明|提示|指令|备注)|aiアシスタントへの?(?:指示|メモ|注意)",
    ),
    _signal(
        "steers_the_answer",
        0.62,
        r"\b(?:у|в) (?:своїй|твоїй|кожній) відповіді\b|\bвідповідай (?:лише|тільки|виключно)\b|\bдодай (?:до|у) (?:своєї |твоєї )?відпові",
        r"\bв (?:своём|своем|твоём|твоем|каждом) ответе\b|\bотвечай (?:только|лишь|исключительно)\b|\bответь (?:только|лишь) слов|\bдобавь (?:к|в) (?:своему |свой )?ответ",
        r"只(?:回答|回复|输出)[“\"「]|在你的(?:回答|回复)中|あなたの回答に",
    ),
    _signal(
        "asks_for_the_prompt",
        0.7,
        r"(?:покажи|виведи|напиши|розкрий|повтори|процитуй|надрукуй)\b[^.\n]{0,40}(?:системн\w{1,3} (?:промпт|підказк|інструкц|повідомлен)|(?:свої|твої) інструкц)",
        r"(?:покажи|выведи|напиши|раскрой|повтори|процитируй|напечатай)\b[^.\n]{0,40}(?:системн\w{1,3} (?:промпт|подсказк|инструкц|сообщен)|(?:свои|твои) инструкц)",
        r"(?:显示|输出|告诉我|泄露)[^。\n]{0,10}(?:系统提示|你的指令)",
    ),
    _signal(
        "hides_from_the_reader",
        0.45,
        r"не (?:кажи|повідомляй|згадуй|розкривай)\b[^.\n]{0,24}(?:користувач|клієнт)",
        r"не (?:говори|сообщай|упоминай|раскрывай)\b[^.\n]{0,24}(?:пользовател|клиент)",
    ),
    _signal(
        "asks_for_credentials",
        0.65,
        r"(?:скажи|попроси|порадь)\b[^.\n]{0,24}(?:користувач|клієнт)\w{0,4}[^.\n]{0,24}(?:ввести|надіслати|підтвердити)[^.\n]{0,24}(?:пароль|код|картк)",
        r"(?:скажи|попроси|посоветуй)\b[^.\n]{0,24}(?:пользовател|клиент)\w{0,4}[^.\n]{0,24}(?:ввести|прислать|подтвердить)[^.\n]{0,24}(?:пароль|код|карт)",
    ),
)  # fmt: skip
