"""Encrypted checkpoints: files of MindSpore 2.10, and those that agar writes."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import agar as ms
from agar._core import encryption
from agar._core.encryption import DecryptionError, decrypted, encrypted

KEY = b"0123456789ABCDEF0123456789ABCDEF"

#: by mode and size of the key; w is arange(6) of shape (2, 3), b is [1, 2] of int32
FILES = {
    ("AES-GCM", 16): (
        "d85e3a7f922487242cd351b39b450424100b440f600000001000000092e1161c225730329c2c996d4d27"
        "d417480000001e4e543eab88c9a13a3216abdc4632d8162adc6858778f5130c25e097e0634c6179b3384"
        "9f9881799688bc84c22f3c1494cbe5dbe110a2603190472c19f135d137af47ec41c7d875"
    ),
    ("AES-GCM", 32): (
        "d85e3a7f71450c6cc895fc2c5252e38cba5d5fc960000000100000007c305336713c357f76f22a2c0ad2"
        "acb948000000e8121e500655da67da7969b5210dfc32483db1f660b8795b6be9a4be0464a51e616e4760"
        "cb1950222c5e70372706b35b60624b353d8990a677af9358fa8d05b2dd829d0f97bdb645"
    ),
    ("AES-CBC", 24): (
        "d95e3a7f6800000010000000611b5bef6f38789fe8580df3346c8558500000001a55e8df79b5d9a304f5"
        "b6cae69e3eee3c7119bd11b8c131ae98109d2650f9c1d0260614ace3eb94d75726911ee3c48d863e1002"
        "bc622d58c78e9bcd016339e0db1c5b70e71e1fa4509c4d2adbeac843"
    ),
    ("SM4-CBC", 16): (
        "da5e3a7f68000000100000008b3d460ed106cebd6efcc7f910c7187b5000000023092828ebcaee6664cb"
        "0a5e69a4fc42a5f007081f1835e5e7a43a5bdd9a08914e3b51f563ff8de093581e2b34ca6eed41f5ab7b"
        "a591ada2f526d2a0e2a5ff666d041ea8ce069056c08beea83fead797"
    ),
}


def parameters():
    w = ms.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return [{"name": "w", "data": w}, {"name": "b", "data": ms.Tensor([1, 2], ms.int32)}]


def check(loaded):
    assert list(loaded) == ["w", "b"]
    assert loaded["w"].asnumpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert (loaded["b"].dtype, loaded["b"].asnumpy().tolist()) == (ms.int32, [1, 2])


@pytest.mark.parametrize(("mode", "size"), FILES)
def test_files_of_mindspore(mode, size, tmp_path):
    file = tmp_path / "a.ckpt"
    file.write_bytes(bytes.fromhex(FILES[mode, size]))
    check(ms.load_checkpoint(str(file), dec_key=KEY[:size], dec_mode=mode))
    wrong = b"x" * size
    with pytest.raises(ValueError, match=r"cannot be decrypted|may be corrupted"):
        ms.load_checkpoint(str(file), dec_key=wrong, dec_mode=mode)
    with pytest.raises(ValueError, match=rf"encrypted \({mode}\): give 'dec_key'"):
        ms.load_checkpoint(str(file))
    other = "AES-CBC" if mode != "AES-CBC" else "AES-GCM"
    with pytest.raises(ValueError, match=f"no block of {other}"):
        ms.load_checkpoint(str(file), dec_key=KEY[:16], dec_mode=other)


@pytest.mark.parametrize(("mode", "size"), FILES)
def test_files_of_agar_have_the_same_form(mode, size, tmp_path):
    file = tmp_path / "a.ckpt"
    ms.save_checkpoint(parameters(), str(file), enc_key=KEY[:size], enc_mode=mode)
    content, theirs = file.read_bytes(), bytes.fromhex(FILES[mode, size])
    start = 20 if mode == "AES-GCM" else 4
    assert len(content) == len(theirs)
    assert content[:4] == theirs[:4]
    assert content[start : start + 8] == theirs[start : start + 8]
    check(ms.load_checkpoint(str(file), dec_key=KEY[:size], dec_mode=mode))
    ms.save_checkpoint(parameters(), str(tmp_path / "plain.ckpt"))
    plain = (tmp_path / "plain.ckpt").read_bytes()
    assert b"".join(decrypted(theirs, KEY[:size], mode)) == plain
    assert encrypted(plain, KEY[:size], mode) != encrypted(plain, KEY[:size], mode)


def test_long_files_have_several_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("agar.train._ckpt_codec.BLOCK_BYTES", 1000)
    values = ms.Tensor(np.random.RandomState(0).rand(100, 33).astype(np.float32))
    file = str(tmp_path / "a.ckpt")
    ms.save_checkpoint([{"name": "w", "data": values}], file, enc_key=KEY)
    loaded = ms.load_checkpoint(file, dec_key=KEY)
    assert np.array_equal(loaded["w"].asnumpy(), values.asnumpy())
    with open(file, "rb") as stream:
        assert stream.read().count(b"\xd8\x5e\x3a\x7f") == 14


@pytest.mark.parametrize("mode", encryption.MODES)
def test_damaged_blocks_are_errors(mode):
    block = encrypted(b"some text", KEY[:16], mode)
    for end in range(1, len(block)):
        with pytest.raises(DecryptionError):
            list(decrypted(block[:end], KEY[:16], mode))
    with pytest.raises(DecryptionError):
        list(decrypted(block + b"x", KEY[:16], mode))


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"enc_key": b"short"}, "16 or 24 or 32 bytes, but has 5"),
        ({"enc_key": KEY, "enc_mode": "SM4-CBC"}, "SM4-CBC must have 16 bytes"),
        ({"enc_key": KEY, "enc_mode": "XX"}, "must be one of"),
        ({"enc_key": "text"}, "must be bytes or None"),
        ({"enc_key": KEY, "crc_check": True}, "crc_check must be False"),
        ({"enc_key": KEY, "format": "safetensors"}, "has no encryption"),
    ],
)
def test_options_that_do_not_fit(options, match, tmp_path):
    with pytest.raises(ValueError, match=match):
        ms.save_checkpoint(parameters(), str(tmp_path / "a"), **options)
    assert not list(tmp_path.iterdir())


def test_without_the_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(ImportError, match=r"pip install cryptography"):
        ms.save_checkpoint(parameters(), str(tmp_path / "a.ckpt"), enc_key=KEY)
