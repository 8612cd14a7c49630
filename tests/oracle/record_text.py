"""Record data/oracle/text.json: ``cd tests && GLOG_v=4 <oracle python> -m oracle.record_text``.

What each expression gives: an array as its type and values, an error as its kind. The test
evaluates the same expressions.
"""

from __future__ import annotations

import importlib
import json
import pathlib
import tempfile
from typing import Any

import numpy as np

WORDS = ["i", "am", "mak", "make", "small", "mistake", "##s", "during", "work", "##ing", "hour"]
WORDS += ["I", "[CLS]", "[SEP]", "[UNK]", "[PAD]", "\u5317"]
FILES = {
    "vocab.txt": "b,1\na,2\n c ,3\n",
    "vec.txt": "the 1.0 2.0 3.0\nof 4 5 6\nThe 7 8 9\n",
    "bad.txt": "the 1.0 2.0 3.0\nof 4 5\n",
    "grams.txt": "1gram-t 1.0 2.0 3.0\n2gram-#BEGIN#t 4 5 6\n2gram-th 1 1 1\n4gram-#BEGIN#the 2 2 2\n",
}

EXPRESSIONS = r"""
X.UnicodeCharTokenizer()('')
X.UnicodeCharTokenizer(True)('a北é')
X.WhitespaceTokenizer(True)('  北 京\t a\n')
X.WhitespaceTokenizer()('   ')
X.WhitespaceTokenizer()('')
X.WhitespaceTokenizer()(np.array(['a b','c']))
X.UnicodeScriptTokenizer(with_offsets=True)('abc 北京123,. д!é')
X.UnicodeScriptTokenizer(True)('  abc  北 ,')
X.UnicodeScriptTokenizer()('   ')
X.BasicTokenizer(False,True)('Hello,  W [UNK]x [MASK]')
X.BasicTokenizer(preserve_unused_token=False)('Hello, [UNK]x $5 ^a `b')
X.BasicTokenizer(True,normalization_form=X.NormalizeForm.NFKC)('ﬁＡ é')
X.BasicTokenizer(False,normalization_form=X.NormalizeForm.NFD)('é')
X.BasicTokenizer()('a\x00b\u200bc\ufffdd')
X.BasicTokenizer()('')
X.BertTokenizer(V)('I am making small mistakes during working hours',)
X.BertTokenizer(V,with_offsets=True)('I am making  Small北 xyz [CLS]')
X.BertTokenizer(V,lower_case=True)('I am MAKING')
X.WordpieceTokenizer(V)(['making','mistakes','xyz',''])
X.WordpieceTokenizer(V,with_offsets=True)(['making','mistakes','xyz'])
X.WordpieceTokenizer(V,unknown_token='')(['making','xyz'])
X.WordpieceTokenizer(V,max_bytes_per_token=3)(['making','am'])
X.WordpieceTokenizer(V)('making')
X.RegexTokenizer('\\s+','\\s+',True)('a  b c')
X.RegexTokenizer('[,]')(',a,,b,')
X.RegexTokenizer('x')('abc')
X.RegexTokenizer('x')('')
X.RegexTokenizer('(')('abc')
X.RegexTokenizer('[ ]','[,]')('a,b c')
X.RegexReplace('a+','b')('aacaa')
X.RegexReplace('a+','b',False)('aacaa')
X.RegexReplace('\\p{Han}','H')('a北京')
X.RegexReplace('(','b')('a')
X.NormalizeUTF8(X.NormalizeForm.NFD)('é')
X.NormalizeUTF8(X.NormalizeForm.NONE)('é')
X.CaseFold()('ÀSSß İ')
X.FilterWikipediaXML()('<text xml:space="preserve">#REDIRECT [[Foo|Bar baz]] 123 &amp; [http://x.y z] {{a}} | b')
X.FilterWikipediaXML()('Anarchism &lt;ref&gt; is 42 [[Image:x.jpg|thumb|left|cap]] [[category:Foo|bar]] word.')
X.Lookup(V)('am')
X.Lookup(V)(['I','am','making'])
X.Lookup(V,'[UNK]')(['I','am','making'])
X.Lookup(V,'[UNK]',ms.float16)(['I','am'])
X.Lookup(V,'nope')(['I'])
X.Lookup(V)(1)
X.Ngram(2)(['a','b','c'])
X.Ngram([1,2])(['a','b','c'])
X.Ngram(5)(['a','b'])
X.Ngram(2,('<',1),('>',2),'-')(['a','b'])
X.Ngram([3,2],('_',3))(['a','b'])
X.Ngram(2)(np.array([['a','b']]))
X.SlidingWindow(2)([1,2,3])
X.SlidingWindow(5)([1,2,3])
X.SlidingWindow(2,-1)([1,2,3])
X.SlidingWindow(2)([[1,2],[3,4]])
X.SlidingWindow(2,1)([1,2])
X.ToNumber(ms.int32)(['1','-2','+3'])
X.ToNumber(ms.int8)(['300'])
X.ToNumber(ms.float32)(['1.5','1e3','-inf'])
X.ToNumber(ms.int32)(['1.5'])
X.ToNumber(ms.int32)([' 1'])
X.ToNumber(ms.bool_)(['1'])
X.ToNumber(ms.string)
X.ToNumber(ms.uint8)(['-1'])
X.ToNumber(ms.float16)(['70000'])
X.ToNumber(ms.int32)([1])
X.ToNumber(ms.int32)('12')
X.Truncate(2)([[1,2,3],[4,5,6]])
X.Truncate(9)(['a'])
X.Truncate(2)(np.zeros((2,2,2)))
X.TruncateSequencePair(3)([1,2,3],[4,5,6])
X.TruncateSequencePair(4)([1],[4,5,6,7,8])
X.TruncateSequencePair(4)([1],['a'])
X.TruncateSequencePair(0)([1],[2])
X.AddToken('T',False)(['a'])
X.AddToken('T')('a')
X.AddToken('T')([['a','b'],['c','d']])
X.AddToken('T')([1])
X.ToVectors(vec)('the')
X.ToVectors(vec)(['the','nope'])
X.ToVectors(vec,[1,2,3])(['the','nope'])
X.ToVectors(vec,[1,2])(['nope'])
X.ToVectors(vec)(['THE'])
X.ToVectors(cvec)(['the'])
X.ToVectors(cvec)(['zz'])
V.vocab()['am']
V.tokens_to_ids(['am','zzz'])
V.tokens_to_ids('am')
V.ids_to_tokens([0,999])
V.ids_to_tokens(1)
X.Vocab.from_list(['a','b'],['<p>'],True).vocab()
X.Vocab.from_list(['a','b'],['<p>'],False).vocab()
X.Vocab.from_list(['a','a'])
X.Vocab.from_list(['a'],['a'])
X.Vocab.from_dict({'a':3,'b':1}).vocab()
X.Vocab.from_dict({'a':-1})
X.Vocab.from_file(tmp + '/vocab.txt',',').vocab()
X.Vocab.from_file(tmp + '/vocab.txt',',',2,['<u>'],False).vocab()
X.Vocab.from_file(tmp + '/vocab.txt').vocab()
X.Vocab.from_file(tmp + '/nope.txt')
X.Vocab.from_dataset(D(),'t').vocab()
X.Vocab.from_dataset(D(),'t',(2,3)).vocab()
X.Vocab.from_dataset(D(),'t',None,2,['<s>'],True).vocab()
X.Vocab.from_dataset(D(),['t'],None,2,['<s>'],False).vocab()
X.Vocab.from_dataset(D()).vocab()
X.Vocab.from_dataset(D(),'zz').vocab()
X.Vocab.from_dataset(D(),'t',(3,2))
X.Vocab.from_dataset(D(),'t',None,0)
X.Vocab().vocab()
X.to_str(np.array([b'a']))
X.to_bytes(np.array(['é']))
X.to_bytes(3)
X.to_str(3)
X.PythonTokenizer(lambda s:s.split())(np.array('a b'))
X.PythonTokenizer(3)
X.PythonTokenizer(lambda s:1/0)(np.array('a b'))
X.PythonTokenizer(lambda s:s.split())('a b')
X.Vectors.from_file(tmp + '/nope.vec')
X.FastText.from_file(tmp + '/vec.txt')
X.GloVe.from_file(tmp + '/vec.txt')
X.CharNGram.from_file(tmp + '/vec.txt')
X.Vectors.from_file(tmp + '/bad.txt')
X.Truncate(0)
X.Ngram(0)
X.Ngram([])
X.Ngram(2,3)
X.SlidingWindow(0)
X.Lookup(3)
X.Lookup(V,3)
X.AddToken(3)
X.WordpieceTokenizer(3)
X.WhitespaceTokenizer(3)
X.BasicTokenizer(3)
X.NormalizeUTF8(3)
X.RegexTokenizer(3)
X.CaseFold()(3)
X.CaseFold()(['AB','C'])
X.ToVectors(3)
"""


def lines() -> list[str]:
    """The expressions."""
    return EXPRESSIONS.strip().splitlines()


def namespace(package: str, folder: str) -> dict[str, Any]:
    """What the expressions see; files are written to a folder."""
    for name, content in FILES.items():
        (pathlib.Path(folder) / name).write_text(content, encoding="utf-8")
    framework = importlib.import_module(package)
    ds = importlib.import_module(f"{package}.dataset")
    text = importlib.import_module(f"{package}.dataset.text")
    rows = np.array([["a", "b", "a"], ["c", "a", "b"], ["d", "b", "c"]])
    return {
        "X": text,
        "np": np,
        "ms": framework,
        "tmp": folder,
        "V": text.Vocab.from_list(WORDS),
        "D": lambda: ds.NumpySlicesDataset(rows, ["t"], shuffle=False),
        "vec": text.Vectors.from_file(f"{folder}/vec.txt"),
        "cvec": text.CharNGram.from_file(f"{folder}/grams.txt"),
    }


def digest(value: Any) -> Any:
    """A value as JSON holds it."""
    if isinstance(value, tuple):
        return [digest(part) for part in value]
    if isinstance(value, np.ndarray):
        values = np.char.decode(value, "utf8") if value.dtype.kind == "S" else value
        return {"type": str(value.dtype), "values": values.tolist()}
    return value if isinstance(value, (str, int, list, dict)) else type(value).__name__


def evaluate(expression: str, names: dict[str, Any]) -> Any:
    """The digest of an expression, or the kind of its error."""
    try:
        return digest(eval(expression, dict(names)))
    except Exception as error:
        return {"raises": type(error).__name__}


def main() -> None:
    """Ask the oracle and write the file."""
    with tempfile.TemporaryDirectory() as folder:
        names = namespace("mindspore", folder)
        entries = {line: evaluate(line, names) for line in lines()}
    path = pathlib.Path(__file__).resolve().parent.parent / "data" / "oracle" / "text.json"
    path.write_text(json.dumps(entries, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
