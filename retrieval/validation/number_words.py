"""Numbers and lengths of time as words, beyond those that `retrieval.quantity_words` has."""

import re

_DAY = 86_400.0

_NUMBERS = {
    1: "one eins ein один одна одну одного одной uno jeden jedna 一",
    2: "both двоє двоих",
    3: "троє трое",
    8: "вісьмох",
    11: "eleven elf одинадцять одиннадцать onze once jedenaście",
    14: "fourteen vierzehn чотирнадцять чотирнадцяти четырнадцать quatorze catorce czternaście",
    15: "fifteen fünfzehn п'ятнадцять п'ятнадцяти пятнадцать quinze quince piętnaście",
    16: "sixteen sechzehn шістнадцять шестнадцать seize dieciséis",
    18: "eighteen achtzehn вісімнадцять восемнадцать dieciocho dezoito",
    20: "twenty zwanzig двадцять двадцяти двадцать двадцати vingt veinte vinte dwadzieścia 二十",
    24: "twenty-four vierundzwanzig veinticuatro",
    25: "twenty-five fünfundzwanzig veinticinco",
    30: "thirty dreißig тридцять тридцяти тридцать тридцати trente treinta trinta trzydzieści 三十",
    40: "forty vierzig сорок cuarenta quarante quarenta",
    45: "forty-five fünfundvierzig",
    50: "fifty fünfzig п'ятдесят п'ятдесяти пятьдесят пятидесяти cinquante cincuenta cinquenta pięćdziesiąt",
    60: "sixty sechzig шістдесят шестьдесят soixante sesenta sessenta sześćdziesiąt",
    90: "ninety neunzig дев'яносто девяносто noventa",
    100: "hundred hundert сто ста cent cien ciento cem",
    1000: "thousand tausend тисяча тисячу тысяча тысячу mille mil tysiąc",
}
NUMBER_WORDS = {word: str(number) for number, words in _NUMBERS.items() for word in words.split()}
HALVES = {
    word: factor
    for factor, words in {
        0.5: "half halb halbe halben halbes пів половина полгода pół medio media meio meia demi",
        1.5: "anderthalb eineinhalb півтора півтори полтора полторы półtora",
    }.items()
    for word in words.split()
}
ARTICLES = frozenset(
    [
        "a",
        "an",
        "ein",
        "eine",
        "einen",
        "einem",
        "einer",
        "eines",
        "un",
        "una",
        "une",
        "um",
        "uma",
        "jeden",
        "jedną",
        "всю",
        "одну",
        "один",
        "одна",
        "одного",
        "впродовж",
        "протягом",
        "за",
        "через",
        "на",
        "у",
        "течение",
        "течение",
        "ciągu",
        "przez",
        "всього",
    ]
)
# A unit alone is one of it, where no word points to a certain one ("діє рік", not "минулий рік").
BARE_UNITS = {
    word: unit
    for unit, words in {"day": "добу", "week": "тиждень неделю", "month": "місяць", "year": "рік"}.items()
    for word in words.split()
}
POINTING = ("минул", "цей", "цьо", "наступн", "кожн", "прошл", "эт", "следующ", "кажд", "на", "раз")
# Words between a number and what is counted.
QUALIFIERS = frozenset(
    [
        "extra",
        "additional",
        "more",
        "further",
        "free",
        "full",
        "different",
        "simultaneous",
        "weitere",
        "weiteren",
        "zusätzliche",
        "zusätzlichen",
        "volle",
        "vollen",
        "gleichzeitige",
        "verschiedene",
        "додаткових",
        "додаткові",
        "різних",
        "одночасних",
        "дополнительных",
        "разных",
        "adicionales",
        "adicional",
        "diferentes",
        "más",
        "supplémentaires",
        "différents",
        "dodatkowych",
    ]
)
PER = re.compile(
    r"(?:\b(?:per|pro|je|por|par|al|раз на|раз у|раз в|once|times|mal|vez|veces|fois)|/|\b\d+(?:[.,]\d+)?\s?[€$£])\s*$",
    re.IGNORECASE,
)
# Words for units that the checks of answers do without.
MORE_UNITS = {
    word: unit
    for unit, words in {
        "workday": "workdays werktage werktagen werktag arbeitstage arbeitstagen 工作日 営業日",
        "day": "доба добу доби діб сутки суток",
        "hour": "год годину hr hrs",
        "minute": "mins мин. хвилину минуту",
        "month": "місяцях місяцем месяца miesiąca 月",
        "year": "року літ роках",
        "week": "тижня тижнів неделю tygodnia",
        "kb": "kib kilobyte kilobytes",
        "mb": "mib megabyte megabytes мбайт",
        "gb": "gib gigabyte gigabytes гбайт",
        "tb": "tib terabyte terabytes",
        "percent": "cent percentage pct відсотків prozentpunkte ciento cento procenta",
    }.items()
    for word in words.split()
}
CURRENCIES = {
    word: unit
    for unit, words in {
        "uah": "грн гривень гривні гривня гривню uah",
        "rub": "руб рублей рубля рубль rub",
        "usd": "usd долларов dolares dólares dollars bucks",
        "eur": "eur евро євро euros euro",
        "pln": "zł pln złotych złoty złote",
        "gbp": "gbp pounds pound quid",
        "chf": "chf franken",
        "cent": "cents ct cents. центів центов centimes céntimos centavos",
        "jpy": "円 jpy yen",
        "cny": "元 cny rmb",
    }.items()
    for word in words.split()
}
# How often, said in one word: the seconds between two times.
ADVERBS: dict[str, tuple[float, float]] = {
    word: span
    for span, words in {
        (3_600.0, 3_600.0): "hourly stündlich щогодини ежечасно",
        (_DAY, _DAY): "daily nightly overnight täglich nächtlich щодня щоночі щоденно ежедневно diario diariamente diaria quotidiennement diariamente codziennie 毎日 每天",
        (7 * _DAY, 7 * _DAY): "weekly wöchentlich щотижня щотижнево еженедельно semanal semanalmente hebdomadaire cotygodniowo 毎週 每周",
        (28 * _DAY, 31 * _DAY): "monthly monatlich щомісяця щомісячно ежемесячно mensual mensualmente mensuel mensalmente miesięcznie 毎月 每月",
        (360 * _DAY, 366 * _DAY): "yearly annually jährlich щороку ежегодно anualmente annuellement rocznie 毎年 每年",
    }.items()
    for word in words.split()
}  # fmt: skip
# One of these stands in whatever an expression of `SPANS` finds; most sentences have none.
SPAN_CUES = [
    "every",
    "each",
    "once",
    "jede",
    "jeden",
    "einmal",
    "кожн",
    "кож",
    "кажд",
    "раз",
    "cada",
    "vez",
    "chaque",
    "viertelstunde",
    "cuarto",
    "чверть",
    "четверть",
    "quart",
    "kwadrans",
    "half",
    "halb",
    "пів",
    "пол",
    "medi",
    "demi",
    "meia",
    "meio",
    "pół",
    "same",
    "selben",
    "того",
    "тот",
    "mismo",
    "même",
    "mesmo",
    "当日",
    "fortnight",
]
# Lengths of time in several words or in one that holds both number and unit.
SPANS: tuple[tuple[re.Pattern[str], tuple[float, float]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), span)
    for pattern, span in (
        (r"\b(?:every|each) (?:night|day)\b|\bjede[nrs]? (?:nacht|tag)\b|\bкожн\w+ (?:день|ніч|ночі|дня|доби)\b|\bкажд\w+ (?:день|ночь)\b|\bcada (?:noche|día|dia|noite)\b|\bchaque (?:nuit|jour)\b", (_DAY, _DAY)),
        (r"\b(?:every|each|once an?) hour\b|\bjede stunde\b|\bкожн\w+ годин\w\b|\bкаждый час\b|\bcada hora\b|\bchaque heure\b", (3_600.0, 3_600.0)),
        (r"\b(?:once a|every|each) week\b|\b(?:jede|einmal pro|einmal die) woche\b|\bкожн\w+ тиж\w+\b|\bраз на тиждень\b|\bраз в неделю\b|\b(?:cada|una vez (?:a la|por)) semana\b", (7 * _DAY, 7 * _DAY)),
        (r"\b(?:once a|every|each) month\b|\b(?:jeden|einmal (?:pro|im)) monat\b|\bкожн\w+ місяц\w+\b|\bраз на місяць\b|\bраз в месяц\b|\b(?:cada|una vez al) mes\b", (28 * _DAY, 31 * _DAY)),
        (r"\b(?:once a|every|each) year\b|\b(?:jedes|einmal (?:pro|im)) jahr\b|\bкож\w+ (?:рік|року)\b|\bраз на рік\b|\bраз в год\b|\b(?:cada|una vez al) año\b", (360 * _DAY, 366 * _DAY)),
        (r"\bonce a day\b|\beinmal (?:pro|am) tag\b|\bраз на (?:день|добу)\b|\bраз в (?:день|сутки)\b|\buna vez al día\b", (_DAY, _DAY)),
        (r"\bviertelstunde\b|\bcuarto de hora\b|\bчверть години\b|\bчетверть часа\b|\bquart d'heure\b|\bquarter of an hour\b|\bkwadrans\b", (900.0, 900.0)),
        (r"\ban hour and a half\b|\beineinhalb stunden\b|\banderthalb stunden\b|\bпівтори години\b|\bполтора часа\b|\buna hora y media\b|\bune heure et demie\b|\bpółtorej godziny\b|\buma hora e meia\b", (5_400.0, 5_400.0)),
        (r"\bhalf an hour\b|\bhalbe stunde\b|\bпівгодини\b|\bполчаса\b|\bmedia hora\b|\bdemi-heure\b|\bmeia hora\b|\bpół godziny\b", (1_800.0, 1_800.0)),
        (r"\bhalf a year\b|\bhalbes jahr\b|\bhalben jahr\b|\bпівроку\b|\bполгода\b|\bmedio año\b|\bpół roku\b|\bmeio ano\b", (168 * _DAY, 186 * _DAY)),
        (r"\bsame day\b|\bselben tag\b|\bтого ж дня\b|\bв тот же день\b|\bmismo día\b|\bmême jour\b|\bmesmo dia\b|当日", (0.0, _DAY)),
        (r"\bfortnight\b", (14 * _DAY, 14 * _DAY)),
    )
)  # fmt: skip
