"""Text <-> ids <-> display tokens. Words stay recognisable: sub-words can be merged back."""

from viz_core.text.bpe import (
    ASCII_WORD as ASCII_WORD,
    CONTINUED as CONTINUED,
    END as END,
    PAD as PAD,
    SPACE as SPACE,
    SPECIAL as SPECIAL,
    START as START,
    UNKNOWN as UNKNOWN,
    WORD as WORD,
    Encoded as Encoded,
    RunningTokenizer as RunningTokenizer,
    SmallTokenizer as SmallTokenizer,
    Tokenizer as Tokenizer,
    dotted as dotted,
    french_spacing as french_spacing,
    join_words as join_words,
    merge_words as merge_words,
    normalise as normalise,
    word_count as word_count,
)
from viz_core.text.languages import (
    inside_english as inside_english,
    is_right_to_left as is_right_to_left,
    language_name as language_name,
)
