"""Chinese text in words: the results of MindSpore 2.10 for the same small files."""

# ruff: noqa: RUF001 - full width characters, as in Chinese text
from __future__ import annotations

import pytest

import agar.dataset as ds
from agar.dataset import text
from agar.dataset.text import JiebaMode

COUNTS = {
    "今天": 900,
    "天气": 700,
    "我们": 3000,
    "市长": 300,
    "长江": 400,
    "大桥": 200,
    "长江大桥": 50,
    "北京": 2000,
    "大学": 1500,
    "清华": 100,
    "清华大学": 90,
    "好": 5000,
    "来": 4000,
    "到": 4500,
    "在": 9000,
    "的": 30000,
    "江大": 2,
}
NEVER = -3.14e100
STARTS = f"-0.26 {NEVER} {NEVER} -1.46"
CHANGES = f"""{NEVER} -0.51 -0.92 {NEVER}
-0.59 {NEVER} {NEVER} -0.81
{NEVER} -0.33 -1.26 {NEVER}
-0.72 {NEVER} {NEVER} -0.67"""
CHARACTERS = (
    "杭:-3.0,研:-4.0,小:-3.5,明:-5.0,好:-6.0",
    "研:-3.2,明:-2.5,厦:-2.0,好:-4.0",
    "研:-5.0,大:-3.0",
    "的:-1.0,好:-2.5,小:-5.0,了:-1.5",
)

#: text, its words by both, by the dictionary, by the model; a space stands between words
CUTS = [
    ("今天天气好", "今天 天气 好", "今天 天气 好", "今 天 天 气 好"),
    (
        "我们来到北京清华大学",
        "我们 来 到 北京 清华大学",
        "我们 来 到 北京 清华大学",
        "我 们 来 到 北 京 清 华 大 学",
    ),
    ("南京市长江大桥", "南 京 市 长江大桥", "南 京 市 长江大桥", "南 京 市 长 江 大 桥"),
    (
        "小明的杭研大厦好了",
        "小明 的 杭研大厦 好 了",
        "小 明 的 杭 研 大 厦 好 了",
        "小明 的 杭研大厦 好 了",
    ),
    (
        "abc123\t3.14%，好的",
        "abc123 \t 3.14 % ， 好 的",
        "a b c 1 2 3 \t 3 . 1 4 % ， 好 的",
        "abc123 \t 3.14 % ， 好 的",
    ),
    ("１２é你", "１ ２ é 你", "１ ２ é 你", "１ ２ é 你"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("jieba")
    words, model = folder / "words.utf8", folder / "model.utf8"
    lines = [f"{word} {count} n" for word, count in COUNTS.items()]
    words.write_text("\n".join(lines), encoding="utf-8")
    parts = ["# first", STARTS, "# next", CHANGES, *CHARACTERS]
    model.write_text("\n".join(parts), encoding="utf-8")
    return str(model), str(words)


@pytest.mark.parametrize("cut", CUTS, ids=[cut[0] for cut in CUTS])
def test_words(files, cut):
    for mode, words in zip((JiebaMode.MIX, JiebaMode.MP, JiebaMode.HMM), cut[1:], strict=True):
        assert text.JiebaTokenizer(*files, mode)(cut[0]).tolist() == words.split(" "), mode


def test_offsets(files):
    cut = text.JiebaTokenizer(*files, with_offsets=True)
    assert [a.tolist() for a in cut("é我们，a1")] == [
        ["é", "我们", "，", "a1"],
        [0, 2, 8, 11],
        [2, 8, 11, 13],
    ]
    assert [a.tolist() for a in cut("")] == [[""], [], []]


def test_words_of_the_program(files, tmp_path):
    cut = text.JiebaTokenizer(*files)
    cut.add_word("南京市")
    assert cut("南京市长江大桥").tolist() == ["南京市", "长江大桥"]
    assert cut("小市明").tolist() == ["小", "市", "明"]
    own = tmp_path / "own.txt"
    own.write_text("今天天气 90000\ntoo many words 3\n*x 3\n天气好12\n", encoding="utf-8")
    cut.add_dict(str(own))
    assert cut.words[1:] == [("今天天气", 90000), ("天气好", 12)]
    assert cut("今天天气好").tolist() == ["今天天气", "好"]
    cut.add_dict({"气好": 9})
    assert cut.words[-1] == ("气好", 9)


def test_a_pipeline_of_texts(files):
    data = ds.NumpySlicesDataset(["今天天气好", "北京"], ["text"], shuffle=False)
    data = data.map(text.JiebaTokenizer(*files))
    rows = [row[0].tolist() for row in data.create_tuple_iterator(output_numpy=True, num_epochs=1)]
    assert rows == [["今天", "天气", "好"], ["北京"]]


def test_files_and_words_that_do_not_fit(files, tmp_path):
    model, words = files
    with pytest.raises(ValueError, match="hmm_path"):
        text.JiebaTokenizer(None, words)
    with pytest.raises(ValueError, match="mp_path"):
        text.JiebaTokenizer(model, str(tmp_path / "none"))
    with pytest.raises(ValueError, match="nine lines"):
        text.JiebaTokenizer(words, words)
    with pytest.raises(ValueError, match="line 1 of 'mp_path'"):
        text.JiebaTokenizer(model, model)
    with pytest.raises(TypeError, match="mode"):
        text.JiebaTokenizer(model, words, "MIX")
    cut = text.JiebaTokenizer(model, words)
    with pytest.raises(ValueError, match="freq"):
        cut.add_word("x", -1)
    with pytest.raises(ValueError, match="word"):
        cut.add_word("")
    with pytest.raises(TypeError, match="user_dict"):
        cut.add_dict(["x"])
    with pytest.raises(ValueError, match="not exist"):
        cut.add_dict(str(tmp_path / "none"))
    with pytest.raises(RuntimeError, match="one string"):
        cut(["a", "b"])
