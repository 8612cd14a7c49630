"""Transforms of text: tokenizers, vocabularies, word vectors, and what is done with tokens."""

from __future__ import annotations

from agar.dataset.text import transforms as transforms
from agar.dataset.text import utils as utils
from agar.dataset.text.transforms import AddToken as AddToken
from agar.dataset.text.transforms import BasicTokenizer as BasicTokenizer
from agar.dataset.text.transforms import BertTokenizer as BertTokenizer
from agar.dataset.text.transforms import CaseFold as CaseFold
from agar.dataset.text.transforms import FilterWikipediaXML as FilterWikipediaXML
from agar.dataset.text.transforms import JiebaTokenizer as JiebaTokenizer
from agar.dataset.text.transforms import Lookup as Lookup
from agar.dataset.text.transforms import Ngram as Ngram
from agar.dataset.text.transforms import NormalizeUTF8 as NormalizeUTF8
from agar.dataset.text.transforms import PythonTokenizer as PythonTokenizer
from agar.dataset.text.transforms import RegexReplace as RegexReplace
from agar.dataset.text.transforms import RegexTokenizer as RegexTokenizer
from agar.dataset.text.transforms import SentencePieceTokenizer as SentencePieceTokenizer
from agar.dataset.text.transforms import SlidingWindow as SlidingWindow
from agar.dataset.text.transforms import ToNumber as ToNumber
from agar.dataset.text.transforms import ToVectors as ToVectors
from agar.dataset.text.transforms import Truncate as Truncate
from agar.dataset.text.transforms import TruncateSequencePair as TruncateSequencePair
from agar.dataset.text.transforms import UnicodeCharTokenizer as UnicodeCharTokenizer
from agar.dataset.text.transforms import UnicodeScriptTokenizer as UnicodeScriptTokenizer
from agar.dataset.text.transforms import WhitespaceTokenizer as WhitespaceTokenizer
from agar.dataset.text.transforms import WordpieceTokenizer as WordpieceTokenizer
from agar.dataset.text.utils import CharNGram as CharNGram
from agar.dataset.text.utils import FastText as FastText
from agar.dataset.text.utils import GloVe as GloVe
from agar.dataset.text.utils import JiebaMode as JiebaMode
from agar.dataset.text.utils import NormalizeForm as NormalizeForm
from agar.dataset.text.utils import SentencePieceModel as SentencePieceModel
from agar.dataset.text.utils import SentencePieceVocab as SentencePieceVocab
from agar.dataset.text.utils import SPieceTokenizerLoadType as SPieceTokenizerLoadType
from agar.dataset.text.utils import SPieceTokenizerOutType as SPieceTokenizerOutType
from agar.dataset.text.utils import Vectors as Vectors
from agar.dataset.text.utils import Vocab as Vocab
from agar.dataset.text.utils import to_bytes as to_bytes
from agar.dataset.text.utils import to_str as to_str

__all__ = [
    "AddToken",
    "BasicTokenizer",
    "BertTokenizer",
    "CaseFold",
    "CharNGram",
    "FastText",
    "FilterWikipediaXML",
    "GloVe",
    "JiebaMode",
    "JiebaTokenizer",
    "Lookup",
    "Ngram",
    "NormalizeForm",
    "NormalizeUTF8",
    "PythonTokenizer",
    "RegexReplace",
    "RegexTokenizer",
    "SPieceTokenizerLoadType",
    "SPieceTokenizerOutType",
    "SentencePieceModel",
    "SentencePieceTokenizer",
    "SentencePieceVocab",
    "SlidingWindow",
    "ToNumber",
    "ToVectors",
    "Truncate",
    "TruncateSequencePair",
    "UnicodeCharTokenizer",
    "UnicodeScriptTokenizer",
    "Vectors",
    "Vocab",
    "WhitespaceTokenizer",
    "WordpieceTokenizer",
    "to_bytes",
    "to_str",
]
