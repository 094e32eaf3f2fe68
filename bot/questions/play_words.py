"""Words by which a request to make or play something is known, in ten languages.

`please` may stand before the request and changes nothing; `make` asks for a made thing, as an order or at the end behind "can you"; `made`
are things that no desk makes; `about` joins a thing with its subject where no verb stands; `play` opens a game; `translate` asks for a
translation, which is play only of a quoted text.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlayWords:
    """One language's words, casefolded."""

    please: frozenset[str]
    make: frozenset[str]
    made: frozenset[str]
    about: frozenset[str]
    play: tuple[str, ...]
    translate: frozenset[str]


def _words(table: dict[str, str]) -> PlayWords:
    return PlayWords(
        please=frozenset(table["please"].split()),
        make=frozenset(table["make"].split()),
        made=frozenset(table["made"].split()),
        about=frozenset(table["about"].split()),
        play=tuple(phrase.strip() for phrase in table["play"].split("|")),
        translate=frozenset(table["translate"].split()),
    )


PLAY_WORDS: dict[str, PlayWords] = {
    code: _words(table)
    for code, table in {
        "en": {
            "please": "please can could would will you kindly hey hi hello ok okay now just bot then and let's lets",
            "make": "write compose tell sing draw invent generate recite create make give give rap improvise crack",
            "made": "poem poems haiku haikus joke jokes song songs limerick story stories rap riddle riddles sonnet rhyme rhymes ballad"
            " tale fable novel screenplay pun puns lyrics verse verses",
            "about": "about on",
            "play": "role-play|roleplay|role play|play a game|pretend to be|pretend you|pretend that you|act as a|act as an|act like a"
            "|imagine you are|imagine you're|sing for me|make me laugh",
            "translate": "translate",
        },
        "uk": {
            "please": "будь ласка можеш можете міг могла ти ви привіт",
            "make": "напиши напишіть склади складіть розкажи розкажіть заспівай заспівайте вигадай вигадайте придумай придумайте намалюй"
            " написати скласти розказати створи створіть",
            "made": "вірш вірша вірші віршик хайку хоку анекдот анекдоти жарт жарти пісню пісня казку казка оповідання загадку поему байку",
            "about": "про",
            "play": "зіграй роль|зіграймо|пограймо|давай пограємо|уяви що ти|уяви, що ти|вдавай що ти|вдавай, що ти|розсміши мене",
            "translate": "переклади перекладіть",
        },
        "ru": {
            "please": "пожалуйста можешь можете мог могла ты вы привет",
            "make": "напиши напишите сочини сочините расскажи расскажите спой спойте придумай придумайте нарисуй написать сочинить рассказать"
            " создай создайте",
            "made": "стих стихи стихотворение хайку хокку анекдот анекдоты шутку шутки песню песня сказку сказка рассказ загадку поэму басню",
            "about": "про о об",
            "play": "сыграй роль|сыграем|поиграем|давай поиграем|представь что ты|представь, что ты|притворись|рассмеши меня",
            "translate": "переведи переведите",
        },
        "de": {
            "please": "bitte kannst können könntest könnten du sie mir mal hallo hi",
            "make": "schreib schreibe schreiben dichte dichten erzähl erzähle erzählen sing singe singen male zeichne erfinde erfinden komponiere"
            " komponieren verfasse verfassen mach mache gib",
            "made": "gedicht gedichte haiku witz witze lied lieder limerick geschichte märchen rätsel ballade reim reime fabel sonett rap",
            "about": "über",
            "play": "rollenspiel|spiel die rolle|spiele die rolle|lass uns spielen|tu so als|tu so, als|stell dir vor du bist"
            "|stell dir vor, du bist|bring mich zum lachen",
            "translate": "übersetze übersetz übersetzen",
        },
        "fr": {
            "please": "s'il te plaît s'il vous plaît peux-tu pouvez-vous pourrais-tu pourriez-vous tu peux vous pouvez bonjour salut moi me nous",
            "make": "écris écrivez m'écrire m'inventer me écris-moi écrivez-moi écrire compose composez raconte racontez raconte-moi racontez-moi raconter chante"
            " chantez chante-moi dessine dessinez invente inventez composer inventer fais fais-moi donne-moi",
            "made": "poème poèmes haïku haïkus haiku blague blagues chanson chansons histoire conte fable devinette limerick sonnet rap vers",
            "about": "sur",
            "play": "jeu de rôle|joue le rôle|jouons|fais semblant|imagine que tu es|imagine que tu|fais-moi rire",
            "translate": "traduis traduisez traduire",
        },
        "es": {
            "please": "por favor puedes puede podrías podría hola me",
            "make": "escribe escríbeme escriba escribir compón componme componer cuenta cuéntame cuénteme contar canta cántame inventa invéntame"
            " dibuja recita crea haz hazme contarme escribirme",
            "made": "poema poemas haiku haikus chiste chistes canción canciones cuento historia fábula adivinanza soneto rap verso versos",
            "about": "sobre",
            "play": "juego de rol|juguemos|haz de|finge que|imagina que eres|hazme reír",
            "translate": "traduce traduzca traducir",
        },
        "pl": {
            "please": "proszę czy możesz mógłbyś mogłabyś może cześć hej mi",
            "make": "napisz napiszcie ułóż opowiedz opowiedzcie zaśpiewaj wymyśl narysuj skomponuj napisać ułożyć opowiedzieć wymyślić stwórz powiedz",
            "made": "wiersz wierszyk wiersze haiku żart żarty dowcip dowcipy kawał piosenkę piosenka bajkę opowiadanie zagadkę balladę limeryk",
            "about": "o",
            "play": "odgrywanie ról|odegraj rolę|zagrajmy|pobawmy się|udawaj że|udawaj, że|wyobraź sobie że jesteś"
            "|wyobraź sobie, że jesteś|rozśmiesz mnie",
            "translate": "przetłumacz przetłumaczcie",
        },
        "pt": {
            "please": "por favor podes pode poderias poderia você olá oi me",
            "make": "escreve escreva escrever compõe componha conta conte contar canta cante inventa invente desenha desenhe recita recite cria"
            " crie faz faça conta-me conte-me escreve-me",
            "made": "poema poemas haiku haikai piada piadas anedota anedotas canção canções conto história fábula adivinha charada soneto rap",
            "about": "sobre",
            "play": "jogo de papéis|vamos jogar|vamos brincar|finge que|finja que|imagina que és|imagine que você é|faz-me rir|me faça rir",
            "translate": "traduz traduza traduzir",
        },
        "zh": {
            "please": "",
            "make": "写 讲 说 唱 作 编 画 来",
            "made": "诗 俳句 笑话 故事 歌 谜语 童话 打油诗 段子",
            "about": "",
            "play": "角色扮演|假装你是|假设你是|想象你是|扮演|我们来玩|逗我笑",
            "translate": "翻译",
        },
        "ja": {
            "please": "",
            "make": "書い 書け 作っ 詠ん 言っ 話し 歌っ 語っ 教え 考え 描い",
            "made": "俳句 詩 川柳 短歌 冗談 ジョーク 物語 歌 なぞなぞ 小話 童話 ダジャレ",
            "about": "",
            "play": "ロールプレイ|ふりをして|なりきって|遊ぼう|ゲームをしよう|笑わせて",
            "translate": "翻訳 訳し",
        },
    }.items()
}
