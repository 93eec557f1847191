"""Languages: their names, which scripts run from right to left, and which put no spaces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

NAMES = {
    "am": "Amharic", "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan",
    "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish",
    "fr": "French", "ga": "Irish", "gu": "Gujarati", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian",
    "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ka": "Georgian", "kk": "Kazakh",
    "km": "Khmer", "ko": "Korean", "la": "Latin", "lo": "Lao", "lt": "Lithuanian",
    "lv": "Latvian", "mn": "Mongolian", "mr": "Marathi", "ms": "Malay", "my": "Burmese",
    "ne": "Nepali", "nl": "Dutch", "no": "Norwegian", "pa": "Punjabi", "pl": "Polish",
    "ps": "Pashto", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sl": "Slovene", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili",
    "ta": "Tamil", "te": "Telugu", "th": "Thai", "tl": "Tagalog", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "yo": "Yoruba",
    "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip

# Scripts that put no space between words: every sign stands for itself.
UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
# The same for Python's own regular expressions, which know no scripts.
_SIGN = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3001-\u30ff\u3400-\u9fff\uff01-\uff1f]"
_APART = re.compile(f"(?<={_SIGN}) (?={_SIGN})")
_MARKS = ("<pad>", "<unk>", "<s>", "</s>", "[CLS]", "[SEP]", "[MASK]", "[UNK]", "[PAD]")


def language_name(code: str) -> str:
    """vi is Vietnamese; what is no code of the list stays as it was given."""
    return NAMES.get(code.strip().lower().split("-")[0], code.strip())


def is_right_to_left(tokens: Iterable[str]) -> bool:
    """Whether most letters belong to a script that is written from right to left."""
    letters = "".join(token for token in tokens if token not in _MARKS)
    kinds = [unicodedata.bidirectional(sign) for sign in letters]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")


def inside_english(words: str) -> str:
    """Words to be quoted in an English sentence: after Persian ones the sentence goes on from left
    to right. Without the invisible mark, a number or bracket behind them jumps in front of them.
    """
    return f"{words}\u200e" if is_right_to_left([words]) else words


def closed_up(text: str) -> str:
    """Signs of a script without spaces stand side by side: 我 是 学 生 becomes 我是学生."""
    return _APART.sub("", text)
