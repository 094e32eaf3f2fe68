"""How numbers, units, months and weekdays are written in the languages that people write to a desk in."""

import re

SIGNS = {"%": "percent", "€": "eur", "$": "usd", "£": "gbp", "₴": "uah", "₽": "rub", "¥": "jpy"}
_MONTHS = (
    "january jan січень січня январь января januar janvier enero styczeń stycznia janeiro",
    "february feb лютий лютого февраль февраля februar février febrero luty lutego fevereiro",
    "march mar березень березня март марта märz mars marzo marzec marca março",
    "april apr квітень квітня апрель апреля avril abril kwiecień kwietnia",
    "may травень травня май мая mai mayo maj maja maio",
    "june jun червень червня июнь июня juni juin junio czerwiec czerwca junho",
    "july jul липень липня июль июля juli juillet julio lipiec lipca julho",
    "august aug серпень серпня август августа août agosto sierpień sierpnia",
    "september sep sept вересень вересня сентябрь сентября septembre septiembre wrzesień września setembro",
    "october oct жовтень жовтня октябрь октября oktober octobre octubre październik października outubro",
    "november nov листопад листопада ноябрь ноября novembre noviembre listopada novembro",
    "december dec грудень грудня декабрь декабря dezember décembre diciembre grudzień grudnia dezembro",
)
MONTH_NUMBER = {name: str(number) for number, names in enumerate(_MONTHS, 1) for name in names.split()}
# May is also an English verb, март and mars are not only months: a month counts only beside a number.
_UNITS = {
    "minute": "minute minutes min хвилина хвилини хвилин хв минута минуты минут мин minuten minutos minuta minuty minut 分钟 分 минутный минутной хвилинний хвилинного minütig minütige minuti minuto minuut minuter minutter minutů dakika λεπτά דקות דקה 分間",
    "hour": "hour hours h година години годин час часа часов год stunde stunden heure heures hora horas godzina godziny godzin 小时 時間 часовой часового годинний годинного stündig stündige uur uren timmar timme hodin hodiny hodina saat שעות שעה",
    "day": "day days день дні днів дня дней tag tage tagen jour jours día días dzień dni dia dias 天 日 дневный дневные дневных дневного денний денні денних денного tägig tägige tägigen dages dag dage dagen dagar giorno giorni dny dní dnů gün ימים יום 日間",
    "week": "week weeks тиждень тижні тижнів неделя недели недель woche wochen semaine semaines semana semanas tydzień tygodnie tygodni 周 週間 недельный тижневий wöchig wöchige uge uger veckor vecka settimana settimane weken týden týdny týdnů hafta שבועות שבוע 周间",
    "month": "month months місяць місяці місяців месяц месяца месяцев monat monate monaten mois mes meses miesiąc miesiące miesięcy mês 个月 か月 ヶ月 месячный місячний monatig monatige måned måneder månader månad mese mesi maand maanden měsíc měsíce měsíců חודשים חודש",
    "year": "year years рік роки років год года лет jahr jahre jahren an ans année années año años rok lata lat ano anos 年 летний річний jährig jährige år anno anni jaar jaren roky yıl שנים שנה",
    "second": "second seconds sec секунда секунди секунд секунды sekunde sekunden seconde secondes segundo segundos sekunda sekundy 秒 secondi seconden sekunder sekund saniye שניות",
    "percent": "percent відсоток відсотки відсотків процент процента процентов prozent pourcent procent",
    "eur": "eur euro euros євро евро", "usd": "usd dollar dollars долар доларів доллар долларов dólares",
    "kb": "kb кб kilobyte kilobytes кілобайт кілобайтів килобайт килобайтов",
    "mb": "mb мб mo megabyte megabytes мегабайт мегабайти мегабайтів мегабайтах мегабайта мегабайтов mégaoctets megabajty megabajtów メガバイト 兆字节",
    "gb": "gb гб go gigabyte gigabytes гігабайт гігабайти гігабайтів гігабайтах гигабайт гигабайта гигабайтов гигабайтах gigaoctets gigabajty gigabajtów",
    "tb": "tb тб", "inch": "inch inches zoll дюйм дюйма дюймов дюймів pouce pouces pulgada pulgadas cal cale polegadas",
    "centimeter": "cm centimeters centimetres zentimeter сантиметр сантиметров сантиметрів centimètres", "millimeter": "mm millimeters millimeter миллиметров міліметрів",
    "pixel": "px pixel pixels пиксель пикселей піксель пікселів píxeles", "bit": "bit bits бит бита біт біти бітів", "byte": "byte bytes байт байта байтов байтів octets",
    "millisecond": "ms milliseconds millisekunden миллисекунд мілісекунд", "degree": "degree degrees grad градус градусов градусів degrés grados stopni",
}  # fmt: skip
UNIT_OF = {word: unit for unit, names in _UNITS.items() for word in names.split()}
# One word, two units ("год" is an hour in Ukrainian, a year in Russian): compared as either.
AMBIGUOUS_UNITS = frozenset({"год", "mes", "min"})
# Full names that mean nothing else (Russian "среда" is also "environment", Portuguese "segunda" is "second").
_WEEKDAYS = (
    "monday montag понедельник понедельника понеділок понеділка lundi lunes poniedziałek poniedziałku 星期一 周一 月曜日",
    "tuesday dienstag вторник вторника вівторок вівторка mardi martes wtorek wtorku 星期二 周二 火曜日",
    "wednesday mittwoch среду середу mercredi miércoles środa środę 星期三 周三 水曜日",
    "thursday donnerstag четверг четверга четвер четверга jeudi jueves czwartek czwartku 星期四 周四 木曜日",
    "friday freitag пятница пятницу пятницы п'ятниця п'ятницю п'ятниці vendredi viernes piątek piątku 星期五 周五 金曜日",
    "saturday samstag суббота субботу субота суботу samedi sábado sobota sobotę 星期六 周六 土曜日",
    "sunday sonntag воскресенье воскресенья неділя неділю dimanche domingo niedziela niedzielę 星期日 周日 日曜日",
)
WEEKDAY = {name: f"weekday {number}" for number, names in enumerate(_WEEKDAYS, 1) for name in names.split()}
# A source may write a small number as a word where a sentence has the digit.
_NUMBER_WORDS = {
    "2": "two два дві двох двом две двум zwei deux dos dwa dwie dwóch dois duas 两 二",
    "3": "three три трьох трём трех трёх drei trois tres trzy trzech três 三",
    "4": "four чотири чотирьох четыре четырёх четырех vier quatre cuatro cztery czterech quatro 四",
    "5": "five п'ять п'яти пять пяти fünf cinq cinco pięć pięciu 五",
    "6": "six шість шести шесть sechs seis sześć sześciu 六",
    "7": "seven сім семи семь sieben sept siete siedem siedmiu sete 七",
    "8": "eight вісім восьми восемь acht huit ocho osiem ośmiu oito 八",
    "9": "nine дев'ять дев'яти девять девяти neun neuf nueve dziewięć nove 九",
    "10": "ten десять десяти zehn dix diez dziesięć dziesięciu dez 十",
    "12": "twelve дванадцять дванадцяти двенадцать двенадцати zwölf douze doce dwanaście doze",
}  # fmt: skip
DIGIT_OF = {word: digit for digit, written in _NUMBER_WORDS.items() for word in written.split()}


def plain_number(text: str) -> str:
    """Bring a number to one form: no thousands marks, a dot before decimals, no zeros at its ends."""
    bare = re.sub(r"[ \u00a0\u202f']", "", text)
    last = max(bare.rfind("."), bare.rfind(","))
    if last >= 0 and (len(bare) - last - 1 != 3 or bare.startswith("0")):
        whole, fraction = re.sub(r"[.,]", "", bare[:last]), bare[last + 1 :].rstrip("0")
    else:
        whole, fraction = re.sub(r"[.,]", "", bare), ""
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if fraction else whole
