"""The papers behind the pages, as BibTeX: what a page's line of sources names is found here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["article", "inproceedings", "misc", "techreport"]
ACL, ICLR = "Proceedings of ACL", "International Conference on Learning Representations"
NEURIPS = "Advances in Neural Information Processing Systems"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One entry; it is cited by its first author's surname and its year."""

    author: str  # "Surname, Given and Surname, Given", or a name in braces
    title: str
    year: int
    kind: Kind = "inproceedings"
    where: str = ""  # the proceedings, the journal, or where else it can be read
    more: dict[str, str] = field(default_factory=dict)

    @property
    def surname(self) -> str:
        return re.split(r",| and ", self.author.strip("{}"))[0]

    @property
    def key(self) -> str:
        first = next(word for word in re.findall(r"\w+", self.title) if len(word) > 3)
        return f"{re.sub(r'[^a-z]', '', self.surname.lower())}{self.year}{first.lower()}"

    def bibtex(self) -> str:
        place = {"inproceedings": "booktitle", "article": "journal"}.get(self.kind, "howpublished")
        fields = {"author": self.author, "title": f"{{{self.title}}}", "year": str(self.year)}
        fields |= {place: self.where} if self.where else {}
        lines = [f"  {name} = {{{value}}}," for name, value in (fields | self.more).items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


PAPERS: tuple[Paper, ...] = (
    Paper(
        author="Hochreiter, Sepp and Schmidhuber, Jürgen",
        title="Long Short-Term Memory",
        year=1997,
        kind="article",
        where="Neural Computation",
        more={"volume": "9", "number": "8", "pages": "1735--1780"},
    ),
    Paper(
        author="Mikolov, Tomas and Sutskever, Ilya and Chen, Kai and Corrado, Greg and "
        "Dean, Jeffrey",
        title="Distributed Representations of Words and Phrases and their Compositionality",
        year=2013,
        where=NEURIPS,
    ),
    Paper(
        author="Pennington, Jeffrey and Socher, Richard and Manning, Christopher D.",
        title="GloVe: Global Vectors for Word Representation",
        year=2014,
        where="Proceedings of EMNLP",
    ),
    Paper(
        author="Cho, Kyunghyun and van Merriënboer, Bart and Gulcehre, Caglar and Bahdanau, "
        "Dzmitry and Bougares, Fethi and Schwenk, Holger and Bengio, Yoshua",
        title="Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine "
        "Translation",
        year=2014,
        where="Proceedings of EMNLP",
    ),
    Paper(
        author="Sutskever, Ilya and Vinyals, Oriol and Le, Quoc V.",
        title="Sequence to Sequence Learning with Neural Networks",
        year=2014,
        where=NEURIPS,
    ),
    Paper(
        author="Graves, Alex and Wayne, Greg and Danihelka, Ivo",
        title="Neural Turing Machines",
        year=2014,
        kind="article",
        where="arXiv preprint arXiv:1410.5401",
    ),
    Paper(
        author="Bahdanau, Dzmitry and Cho, Kyunghyun and Bengio, Yoshua",
        title="Neural Machine Translation by Jointly Learning to Align and Translate",
        year=2015,
        where=ICLR,
    ),
    Paper(
        author="Luong, Minh-Thang and Pham, Hieu and Manning, Christopher D.",
        title="Effective Approaches to Attention-based Neural Machine Translation",
        year=2015,
        where="Proceedings of EMNLP",
    ),
    Paper(
        author="Xu, Kelvin and Ba, Jimmy and Kiros, Ryan and Cho, Kyunghyun and Courville, Aaron "
        "and Salakhudinov, Ruslan and Zemel, Rich and Bengio, Yoshua",
        title="Show, Attend and Tell: Neural Image Caption Generation with Visual Attention",
        year=2015,
        where="Proceedings of ICML",
    ),
    Paper(
        author="Rush, Alexander M. and Chopra, Sumit and Weston, Jason",
        title="A Neural Attention Model for Abstractive Sentence Summarization",
        year=2015,
        where="Proceedings of EMNLP",
    ),
    Paper(
        author="Karpathy, Andrej",
        title="The Unreasonable Effectiveness of Recurrent Neural Networks",
        year=2015,
        kind="misc",
        where="https://karpathy.github.io/2015/05/21/rnn-effectiveness/",
    ),
    Paper(
        author="Yang, Zichao and Yang, Diyi and Dyer, Chris and He, Xiaodong and Smola, Alex and "
        "Hovy, Eduard",
        title="Hierarchical Attention Networks for Document Classification",
        year=2016,
        where="Proceedings of NAACL-HLT",
    ),
    Paper(
        author="Cheng, Jianpeng and Dong, Li and Lapata, Mirella",
        title="Long Short-Term Memory-Networks for Machine Reading",
        year=2016,
        where="Proceedings of EMNLP",
    ),
    Paper(
        author="Wu, Yonghui and Schuster, Mike and Chen, Zhifeng and Le, Quoc V. and Norouzi, "
        "Mohammad and others",
        title="Google's Neural Machine Translation System: Bridging the Gap between Human and "
        "Machine Translation",
        year=2016,
        kind="article",
        where="arXiv preprint arXiv:1609.08144",
    ),
    Paper(
        author="Vaswani, Ashish and Shazeer, Noam and Parmar, Niki and Uszkoreit, Jakob and Jones, "
        "Llion and Gomez, Aidan N. and Kaiser, Łukasz and Polosukhin, Illia",
        title="Attention Is All You Need",
        year=2017,
        where=NEURIPS,
    ),
    Paper(
        author="Uszkoreit, Jakob",
        title="Transformer: A Novel Neural Network Architecture for Language Understanding",
        year=2017,
        kind="misc",
        where="Google Research blog",
    ),
    Paper(
        author="See, Abigail and Liu, Peter J. and Manning, Christopher D.",
        title="Get To The Point: Summarization with Pointer-Generator Networks",
        year=2017,
        where=ACL,
    ),
    Paper(
        author="Liu, Peter J. and Saleh, Mohammad and Pot, Etienne and Goodrich, Ben and Sepassi, "
        "Ryan and Kaiser, Łukasz and Shazeer, Noam",
        title="Generating Wikipedia by Summarizing Long Sequences",
        year=2018,
        where=ICLR,
    ),
    Paper(
        author="Paulus, Romain and Xiong, Caiming and Socher, Richard",
        title="A Deep Reinforced Model for Abstractive Summarization",
        year=2018,
        where=ICLR,
    ),
    Paper(
        author="Alammar, Jay",
        title="The Illustrated Transformer",
        year=2018,
        kind="misc",
        where="https://jalammar.github.io/illustrated-transformer/",
    ),
    Paper(
        author="Mishra, Nikhil and Rohaninejad, Mostafa and Chen, Xi and Abbeel, Pieter",
        title="A Simple Neural Attentive Meta-Learner",
        year=2018,
        where=ICLR,
    ),
    Paper(
        author="Peters, Matthew E. and Neumann, Mark and Iyyer, Mohit and Gardner, Matt and Clark, "
        "Christopher and Lee, Kenton and Zettlemoyer, Luke",
        title="Deep Contextualized Word Representations",
        year=2018,
        where="Proceedings of NAACL-HLT",
    ),
    Paper(
        author="Radford, Alec and Narasimhan, Karthik and Salimans, Tim and Sutskever, Ilya",
        title="Improving Language Understanding by Generative Pre-Training",
        year=2018,
        kind="techreport",
        more={"institution": "OpenAI"},
    ),
    Paper(
        author="Radford, Alec and Wu, Jeffrey and Child, Rewon and Luan, David and Amodei, Dario "
        "and Sutskever, Ilya",
        title="Language Models are Unsupervised Multitask Learners",
        year=2019,
        kind="techreport",
        more={"institution": "OpenAI"},
    ),
    Paper(
        author="Devlin, Jacob and Chang, Ming-Wei and Lee, Kenton and Toutanova, Kristina",
        title="BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
        year=2019,
        where="Proceedings of NAACL-HLT",
    ),
    Paper(
        author="Clark, Kevin and Khandelwal, Urvashi and Levy, Omer and Manning, Christopher D.",
        title="What Does BERT Look At? An Analysis of BERT's Attention",
        year=2019,
        where="Proceedings of the ACL Workshop BlackboxNLP",
    ),
    Paper(
        author="Voita, Elena and Talbot, David and Moiseev, Fedor and Sennrich, Rico and "
        "Titov, Ivan",
        title="Analyzing Multi-Head Self-Attention: Specialized Heads Do the Heavy Lifting, the "
        "Rest Can Be Pruned",
        year=2019,
        where=ACL,
    ),
    Paper(
        author="Stahlberg, Felix and Byrne, Bill",
        title="On NMT Search Errors and Model Errors: Cat Got Your Tongue?",
        year=2019,
        where="Proceedings of EMNLP-IJCNLP",
    ),
    Paper(
        author="Zhang, Han and Goodfellow, Ian and Metaxas, Dimitris and Odena, Augustus",
        title="Self-Attention Generative Adversarial Networks",
        year=2019,
        where="Proceedings of ICML",
    ),
    Paper(
        author="Dehghani, Mostafa and Gouws, Stephan and Vinyals, Oriol and Uszkoreit, Jakob and "
        "Kaiser, Łukasz",
        title="Universal Transformers",
        year=2019,
        where=ICLR,
    ),
    Paper(
        author="Abnar, Samira and Zuidema, Willem",
        title="Quantifying Attention Flow in Transformers",
        year=2020,
        where=ACL,
    ),
    Paper(
        author="{nostalgebraist}",
        title="interpreting GPT: the logit lens",
        year=2020,
        kind="misc",
        where="LessWrong",
    ),
    Paper(
        author="Dosovitskiy, Alexey and Beyer, Lucas and Kolesnikov, Alexander and Weissenborn, "
        "Dirk and Zhai, Xiaohua and Unterthiner, Thomas and Dehghani, Mostafa and Minderer, "
        "Matthias and Heigold, Georg and Gelly, Sylvain and Uszkoreit, Jakob and Houlsby, Neil",
        title="An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale",
        year=2021,
        where=ICLR,
    ),
)
ATLAS = Paper(
    author="{The Attention Atlas authors}",
    title="Attention Atlas: small models, really trained, drawn while they run",
    year=2026,
    kind="misc",
    more={"version": "1.0.0", "note": "MIT licence"},
)


def cited(sources: str) -> list[Paper]:
    """The papers that a line of sources names, in its order: "Cho et al. 2014; Bahdanau 2015"."""
    found = []
    for paper in PAPERS:
        between = r"\b(?:(?!\d{4})[^;])*?"  # no other year, no other source
        named = re.search(rf"\b{re.escape(paper.surname)}{between}{paper.year}", sources)
        if named:
            found.append((named.start(), paper))
    return [paper for _, paper in sorted(found, key=lambda each: each[0])]
