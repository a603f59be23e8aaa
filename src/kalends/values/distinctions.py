"""What sets two names apart that are nearly the same: a number, a letter, a side, a size. *Room 3* is never *Room 7*.

Every question whether one record is meant by the name of another asks here first. Only what this page names counts;
other words may be slips. Without these words a name says something else: *Hall* and *Hall 2* are two as well.
"""

import re
from collections import Counter
from functools import cache, lru_cache
from typing import NamedTuple

from kalends.values import names

ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}
_LONE_ROMAN = {"i": "1", "v": "5", "x": "10"}

# One meaning a line, in nine languages, as names are searched: without accents and capitals. A word that ends with
# * may have a short ending.
_WORDS = """
1 one first eins erst* premier premiere uno primer* primo prima primeiro primeira eerste الاول الاولي
2 two second* zwei* deux deuxieme dos segund* dois duas due second* twee tweede الثاني الثانيه
3 three third drei dritt* trois troisieme tres tercer* terceir* tre terz* drie derde الثالث الثالثه
4 four fourth vier* quatre quatrieme cuatro cuart* quatro quart* quattro vierde الرابع الرابعه
5 five fifth funf* cinq cinquieme cinco quint* cinque vijf* الخامس الخامسه
north northern nord* nordlich* norte norteno settentrionale
north noord* noordelijk* شمال الشمال شمالي الشمالي شماليه الشماليه
south southern sud* sur sul meridionale zuid* جنوب الجنوب جنوبي الجنوبي جنوبيه الجنوبيه
east eastern ost ostlich* est este leste orientale oost oostelijk* شرق الشرق شرقي الشرقي شرقيه الشرقيه
west western westlich* ouest oeste ovest occidentale westelijk* غرب الغرب غربي الغربي غربيه الغربيه
upper top ober* oben og haut haute superieur* superior* alto alta superiore boven* علوي العلوي علويه العلويه
lower bottom unter* unten ug bas basse inferieur* inferior* bajo baja
lower baixo baixa inferiore basso bassa beneden onder سفلي السفلي سفليه السفليه
ground erdgeschoss eg rdc الارضي
old alt alte alter altes alten vieux vieil vieille ancien* antigu*
old viej* antig* velh* vecchi* antic* oud oude قديم القديم قديمه القديمه
new neu neue neuer neues neuen nouveau nouvel nouvelle nuev*
new novo nova novos novas nuov* nieuw* جديد الجديد جديده الجديده
left link* gauche izquierd* esquerd* sinistr* يسار اليسار ايسر الايسر يسري اليسري
right recht* droit droite derech* direit* destr* يمين اليمين ايمن الايمن يمني اليمني
middle mittler* mitten midden* وسط الوسط الاوسط
small little klein* petit petite pequen* piccol* kleine صغير الصغير صغيره الصغيره
large big great grand* gross* grande gran groot grote كبير الكبير كبيره الكبيره
front vorder* vorn avant delanter* frente anterior* davanti voor امامي الامامي
back rear hinter* hinten arriere traser* traseir* fundos posterior* retro achter* خلفي الخلفي
inner inside indoor innen* interieur* interior* intern* binnen* داخلي الداخلي
outer outside outdoor aussen* exterieur* exterior* estern* buiten* خارجي الخارجي
girls women ladies madchen frauen damen filles femmes dames
girls ninas mujeres meninas mulheres ragazze donne meisjes vrouwen بنات نساء
boys men jungen manner herren garcons hommes ninos hombres
boys meninos homens ragazzi uomini jongens mannen heren بنين رجال
junior juniors junioren
senior seniors senioren
"""
# Signs of a script without blanks: each is one.
_SIGNS = {
    sign: meaning
    for meaning, signs in {
        "1": "一壱", "2": "二弐", "3": "三参", "4": "四", "5": "五", "6": "六", "7": "七", "8": "八", "9": "九",
        "10": "十", "north": "北", "south": "南", "east": "東", "west": "西", "upper": "上", "lower": "下",
        "left": "左", "right": "右", "old": "旧", "new": "新", "small": "小", "middle": "中", "large": "大",
        "inner": "内", "outer": "外", "front": "前", "back": "後", "girls": "女", "boys": "男",
    }.items()
    for sign in signs
}  # fmt: skip
# The beginnings of compounds, such as Nordhalle and Oostzaal.
_BEGINNINGS = {
    "north": "north nord noord", "south": "south sud zuid", "east": "east ost oost", "west": "west",
    "upper": "ober boven", "lower": "unter beneden onder", "old": "alt oud", "new": "neu nieuw",
    "small": "klein", "large": "gross groot", "front": "vorder voor", "back": "hinter achter",
    "inner": "innen binnen", "outer": "aussen buiten",
}  # fmt: skip
_LONGEST_ENDING = 3  # letters in place of a *
_SHORTEST_REST = 3  # letters of a compound after such a beginning
_ARABIC = str.maketrans("أإآىة", "اااي\u0647")  # letters that are written for each other
_PIECES = re.compile(r"\d+|[^\W\d_]+")


class _Distinctions(NamedTuple):
    """How often each stands in a name, as a word of its own and at the beginning of a compound."""

    whole: Counter[str]
    begun: Counter[str]


def are_two(one: str, other: str) -> bool:
    """Whether two names are those of two things, however alike the rest of them is."""
    first, second = _distinctions(one), _distinctions(other)
    return first.whole != second.whole or bool(first.begun and second.begun and first.begun != second.begun)


def are_opposed(one: str, other: str) -> bool:
    """The same where the one may be a part of the other: *Old Town Hall* may be the *Town Hall*."""
    first, second = _distinctions(one), _distinctions(other)
    sides = (first.whole, second.whole), (first.begun, second.begun)
    return any(bool(mine - theirs and theirs - mine) for mine, theirs in sides)


def number(word: str) -> str:
    """What tells parts and groups apart: a number or a lone letter, else nothing. `word`: as it is searched."""
    if word in ROMAN:
        return ROMAN[word]
    if any(char.isdigit() for char in word):
        return word.lstrip("0") or "0"
    return word if len(word) == 1 and word.isascii() else ""


@lru_cache(maxsize=8192)
def _distinctions(name: str) -> _Distinctions:
    whole, begun = Counter[str](), Counter[str]()
    for word in _PIECES.findall(names.searched(name).translate(_ARABIC)):
        if meaning := _meaning(word):
            whole[meaning] += 1
        elif word.isascii():
            begun.update(
                meaning
                for meaning, starts in _BEGINNINGS.items()
                if any(
                    word.startswith(start) and len(word) >= len(start) + _SHORTEST_REST for start in starts.split()
                )
            )
        else:
            whole.update(_SIGNS[sign] for sign in word if sign in _SIGNS)
    return _Distinctions(whole, begun)


def _meaning(word: str) -> str:
    if word.isdecimal():
        return str(int(word[:30]))
    if word in ROMAN or word in _LONE_ROMAN:
        return ROMAN.get(word) or _LONE_ROMAN[word]
    if len(word) == 1 and word not in _SIGNS:
        return word
    words, stems = _meanings()
    return words.get(word) or next(
        (
            meaning
            for stem, meaning in stems.items()
            if word.startswith(stem) and len(word) <= len(stem) + _LONGEST_ENDING
        ),
        "",
    )


@cache
def _meanings() -> tuple[dict[str, str], dict[str, str]]:
    """The meaning of a word, and of the beginning of one."""
    words, stems = dict[str, str](), dict[str, str]()
    for line in _WORDS.strip().splitlines():
        meaning, *written = line.split()
        for word in (meaning, *written):
            (stems if word.endswith("*") else words).setdefault(word.rstrip("*"), meaning)
    return words, stems
