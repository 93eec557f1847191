"""Sentences and stories to click, of the pages that bring many; short lists stand on their page."""

from __future__ import annotations

# ---- pair: true partners, and random ones -------------------------------------------------------

STORE = "The man went to the store."
MILK = "He bought a gallon of milk."
PAIRS = {
    "lecture: milk": {
        "text": "the man went to [MASK] store .",
        "pair": "he bought a gallon [MASK] milk .",
    },
    "lecture: penguins": {
        "text": "the man [MASK] to the store .",
        "pair": "penguin [MASK] are flightless birds .",
    },
    "true: milk": {"text": STORE, "pair": MILK},
    "random: penguins": {"text": STORE, "pair": "Penguins are flightless birds."},
    "true: silence": {
        "text": "She knocked at the door and waited.",
        "pair": "Nobody answered, so she went away.",
    },
    "random: treaty": {
        "text": "She knocked at the door and waited.",
        "pair": "The treaty was signed by seven nations.",
    },
}
THREE_TEXTS = (
    "The old man opened the door. A cold wind came in. He shut it again and lit the lamp.\n"
    "The parliament votes on the budget in May. Its members have argued about it for weeks.\n"
    "She put the bread into the oven. After an hour the kitchen smelled of it."
)

# ---- machine: sentences, and the translations that training would give ---------------------------

RIGHT_FRENCH = {
    "I am a student.": "Je suis étudiant.",
    "The animal didn't cross the street because it was too tired.": "L'animal n'a pas traversé la "
    "rue parce qu'il était trop fatigué.",
    "I lost my red umbrella on the train.": "J'ai perdu mon parapluie rouge dans le train.",
    "The cat sat on the [MASK].": "Le chat était assis sur le tapis.",
}

# ---- tasks: what a small new layer is asked -----------------------------------------------------

REVIEWS = [
    "Not a single joke in this comedy is funny.",
    "A gripping, beautifully acted film.",
    "The plot is thin, but the two leads save it.",  # it is often wrong about what comes last
    "I wanted to like it, and I could not.",
]
NEWS = [
    "Angela Merkel met Emmanuel Macron in Paris on Monday.",
    "The United Nations sent aid to Kenya after the flood.",
    "Apple opened a new office in Munich.",
]
FERRY = (
    "The ferry left the harbour at six in the morning and reached Gull Island two hours later. "
    "Most passengers were asleep. A girl in a yellow coat counted the birds; her grandfather, a "
    "retired lighthouse keeper, was waiting at the pier with a basket of apples."
)
QUESTIONS = [
    "What was in the basket?",
    "When did the ferry leave the harbour?",
    "Who was waiting at the pier?",
]

# ---- beam: greedy search loses. Found by benchmarks/greedy_loses.py, checked while the page runs -

GREEDY_LOSES = (
    "She likes to go to the library.",
    "Music is a universal language.",
    "The lecture started on schedule.",
    "Where can I get a taxi?",
    "Tom knows why nobody came to his party.",
    "Do you want a few more minutes?",
    "I've never felt like this before.",
    "It's illegal to park your car here.",
    "I thought I told you never to call me.",
    "That's what I'm trying to tell you.",
    "They all laughed at his jokes.",
)

# ---- ponder: small stories after Weston et al. 2015 ---------------------------------------------

FOOTBALL = (
    "Mary moved to the bathroom. Sandra journeyed to the bedroom. Mary got the football there. "
    "John went to the kitchen. Mary went back to the kitchen. Mary went back to the garden."
)
STORIES = {
    "two facts": {"story": FOOTBALL, "text": "Where is the football?"},
    "one fact": {
        "story": "Mary moved to the bathroom. John went to the hallway. Daniel went back to the "
        "hallway. Sandra moved to the garden.",
        "text": "Where is Daniel?",
    },
    "three facts": {
        "story": "Daniel picked up the milk. Daniel went to the office. John moved to the bedroom. "
        "Daniel journeyed to the kitchen. Daniel discarded the milk.",
        "text": "Where was the milk before the kitchen?",
    },
    "deduction": {
        "story": "Mice are afraid of wolves. Gertrude is a mouse. Cats are afraid of sheep. "
        "Winona is a cat. Sheep are afraid of wolves.",
        "text": "What is Gertrude afraid of?",
    },
    "counting": {
        "story": "Mary took the football there. John went to the hallway. Mary picked up the "
        "apple there. Mary dropped the football.",
        "text": "How many objects is Mary carrying?",
    },
    "motivation": {
        "story": "Sumit is tired. Jason is thirsty. Yann is bored.",
        "text": "Where will Jason go?",
    },
}
