"""Tiny files in the layouts of published datasets, and how each is read.

`CASES` names the dataset, the folder under which its files are written, and the arguments; the
figures of MindSpore 2.10 for the same files are in ``data/sources.json``.
"""

# ruff: noqa: E501
from __future__ import annotations

import io
import json
import os
import struct
from collections.abc import Callable

import numpy as np
from PIL import Image

__all__ = ["CASES", "LAYOUTS", "write"]


def _picture(seed: int, kind: str = "PNG", size: tuple[int, int] = (4, 3)) -> bytes:
    drawn = np.random.RandomState(seed).randint(0, 255, (size[1], size[0], 3), np.uint8)
    out = io.BytesIO()
    Image.fromarray(drawn).save(out, kind)
    return out.getvalue()


def _wave(seed: int, count: int = 5, bits: int = 16, channels: int = 1, rate: int = 8000) -> bytes:
    drawn = np.random.RandomState(seed).bytes(count * channels * bits // 8)
    align = channels * bits // 8
    head = struct.pack("<HHIIHH", 1, channels, rate, rate * align, align, bits)
    body = b"WAVEfmt " + struct.pack("<I", 16) + head
    body += b"data" + struct.pack("<I", len(drawn)) + drawn
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _pictures(*names: str, kind: str = "") -> dict[str, bytes]:
    entries = {}
    for i, name in enumerate(names):
        form = kind or {"jpg": "JPEG", "bmp": "BMP"}.get(name.rpartition(".")[2], "PNG")
        entries[name] = _picture(i, form)
    return entries


def _waves(*names: str, rate: int = 8000) -> dict[str, bytes]:
    return {name: _wave(i, 4 + i, rate=rate) for i, name in enumerate(names)}


def _sphere(seed: int) -> bytes:
    head = (
        "NIST_1A\n   1024\nchannel_count -i 1\nsample_count -i 16000\nsample_rate -i 8000\n"
        "sample_n_bytes -i 2\nsample_byte_format -s2 01\nsample_sig_bits -i 16\n"
        "sample_coding -s3 pcm\nend_head\n"
    )
    samples = np.random.RandomState(seed).randint(-30000, 30000, 16000).astype("<i2")
    return head.encode().ljust(1024, b" ") + samples.tobytes()


_STM = (
    "{0} 1 {0} 0.00 0.001 <o,f0,male> hello world\n{0} 1 {0} 0.5 0.502 <o,f0,male> it 's me \n"
    "{0} 1 inter_segment_gap 1.0 1.001 <o,,unknown> ignore_time_segment_in_scoring\n"
)


def _squad() -> str:
    def question(text: str, *answers: tuple[str, int]) -> dict:
        items = [{"text": a, "answer_start": s} for a, s in answers]
        return {"id": text, "question": text, "answers": items}

    first = {"context": "one two", "qas": [question("q1", ("one", 0), ("on", 0)), question("q2")]}
    second = {"context": "thr\u00e4e", "qas": [question("q3", ("three", 4))]}
    data = [{"title": "T", "paragraphs": [first]}, {"title": "U", "paragraphs": [second]}]
    return json.dumps({"version": "1.1", "data": data})


def _segments(*lines: str) -> str:
    body = "".join(f'<seg id="{i}"> {line} </seg>\n' for i, line in enumerate(lines))
    return f'<?xml version="1.0"?>\n<mteval><refset>\n<doc docid="1">\n<url>u</url>\n{body}</doc></refset></mteval>\n'


_TAGS = "<url>http://x</url>\n<title>A title</title>\n{0}\n<talkid>1</talkid>\n {1}\n"


def _translations(stem: str, edition: str, sets: tuple[str, ...]) -> dict[str, str]:
    entries = {
        f"{stem}/train.tags.de-en.de": _TAGS.format("eins", "zwei"),
        f"{stem}/train.tags.de-en.en": _TAGS.format("one", "two"),
    }
    for name in sets:
        for side in ("de", "en"):
            path = f"{stem}/IWSLT{edition}.TED.{name}.de-en.{side}.xml"
            entries[path] = _segments(f"{side} {name} a", f"{side} {name} b")
    return entries


_CITY = "aachen_000000_000019"


def _cityscapes() -> dict[str, bytes | str]:
    entries: dict[str, bytes | str] = {}
    for i, (usage, city) in enumerate(
        [("train", "aachen"), ("train", "bochum"), ("val", "ulm"), ("test", "aaa")]
    ):
        stem = f"{city}_000000_000019"
        entries[f"leftImg8bit/{usage}/{city}/{stem}_leftImg8bit.png"] = _picture(i)
        for j, kind in enumerate(("color", "instanceIds", "labelIds")):
            entries[f"gtFine/{usage}/{city}/{stem}_gtFine_{kind}.png"] = _picture(10 * i + j)
        entries[f"gtFine/{usage}/{city}/{stem}_gtFine_polygons.json"] = json.dumps({"city": city})
    return entries


def _div2k() -> dict[str, bytes]:
    names = [
        f"DIV2K_{u}_HR/{n}.png"
        for u, n in (("train", "0001"), ("train", "0002"), ("valid", "0801"))
    ]
    for u, n in (("train", "0001"), ("train", "0002"), ("valid", "0801")):
        names += [f"DIV2K_{u}_LR_bicubic/X2/{n}x2.png", f"DIV2K_{u}_LR_mild/{n}x4m.png"]
        names += [f"DIV2K_{u}_LR_x8/{n}x8.png"]
    return _pictures(*names)


def _phototour() -> dict[str, bytes | str]:
    drawn = np.random.RandomState(3).randint(0, 255, (1024, 1024), np.uint8)
    out = io.BytesIO()
    Image.fromarray(drawn // 64 * 64).save(out, "BMP")
    return {
        "liberty/patches0000.bmp": out.getvalue(),
        "liberty/info.txt": "0 0\n0 0\n1 0\n",
        "liberty/m50_100000_100000_0.txt": "0 0 0 1 0 0 0\n0 0 0 2 1 0 0\n",
    }


_LFW = [
    "lfw_funneled/A_B/A_B_0001.jpg",
    "lfw_funneled/A_B/A_B_0002.jpg",
    "lfw_funneled/C/C_0001.jpg",
]

LAYOUTS: dict[str, Callable[[], dict]] = {
    "stereo": lambda: {"0_0_0_0_1_1_1_1.wav": _wave(0, 6, 16, 2)},
    "eight bits": lambda: {"0_0_0_0_1_1_1_1.wav": _wave(0, 6, 8)},
    "yesno": lambda: _waves("0_0_0_0_1_1_1_1.wav", "1_0_1_1_0_1_1_0.wav", "1_1_0_0_1_1_0_0.wav"),
    "arctic": lambda: {
        "cmu_us_aew_arctic/etc/txt.done.data": (
            '( arctic_a0001 "Author of the danger trail, etc." )\n( arctic_a0002 "Not at this" )\n'
        ),
        **_waves(*(f"cmu_us_aew_arctic/wav/arctic_a000{i}.wav" for i in (1, 2)), rate=16000),
    },
    "gtzan": lambda: _waves(
        "blues/blues.00000.wav",
        "blues/blues.00001.wav",
        "disco/disco.00003.wav",
        "rock/rock.00031.wav",
        "jazz/jazz.00000.wav",
        rate=22050,
    ),
    "ljspeech": lambda: {
        "metadata.csv": "LJ001-0001|Printing, in 1|Printing, in one\nLJ001-0002|two|two x\n",
        **_waves("wavs/LJ001-0001.wav", "wavs/LJ001-0002.wav"),
    },
    "libritts": lambda: {
        "dev-clean/116/288045/116_288045.trans.tsv": (
            "116_288045_000003_000000\tOrig one\tNorm one\n116_288045_000004_000000\tO2\tN2\n"
        ),
        **_waves(
            *(f"dev-clean/116/288045/116_288045_00000{i}_000000.wav" for i in (3, 4)), rate=24000
        ),
        "test-other/9/8/9_8.trans.tsv": "9_8_000001_000000\tO3\tN3\n",
        "test-other/9/8/9_8_000001_000000.wav": _wave(9, rate=24000),
    },
    "commands": lambda: {
        **_waves(
            "cat/b433eff_nohash_0.wav", "cat/5a33edf_nohash_1.wav", "dog/b433eff_nohash_2.wav"
        ),
        "testing_list.txt": "cat/5a33edf_nohash_1.wav\n",
        "validation_list.txt": "dog/b433eff_nohash_2.wav\n",
    },
    "tedlium": lambda: {
        **{
            f"{u}/sph/{t}.sph": _sphere(i)
            for i, (u, t) in enumerate([("train", "A_1"), ("train", "B_2"), ("test", "C_3")])
        },
        **{
            f"{u}/stm/{t}.stm": _STM.format(t)
            for u, t in [("train", "A_1"), ("train", "B_2"), ("test", "C_3")]
        },
    },
    "tedlium3": lambda: {"data/sph/A_1.sph": _sphere(0), "data/stm/A_1.stm": _STM.format("A_1")},
    "iwslt16": lambda: _translations("texts/de/en/de-en", "16", ("tst2013", "tst2014")),
    "iwslt17": lambda: _translations(
        "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo", "17", ("dev2010", "tst2010")
    ),
    "squad1": lambda: {
        "train-v1.1.json": _squad(),
        "dev-v1.1.json": _squad().replace("one", "ONE"),
    },
    "squad2": lambda: {"train-v2.0.json": _squad(), "dev-v2.0.json": _squad()},
    "caltech256": lambda: _pictures(
        "001.ak47/001_0001.jpg", "001.ak47/001_0002.jpg", "003.back/003_0001.jpg"
    ),
    "cityscapes": _cityscapes,
    "div2k": _div2k,
    "flickr": lambda: {
        **_pictures("images/1.jpg", "images/2.jpg"),
        "images.token": "".join(
            f"{n}.jpg#{i}\tcaption {n} {i} .\n" for n in (2, 1) for i in range(5)
        ),
    },
    "food": lambda: {
        **_pictures("images/pie/1.jpg", "images/pie/2.jpg", "images/ribs/3.jpg"),
        "meta/train.txt": "pie/1\nribs/3\n",
        "meta/test.txt": "pie/2\n",
        "meta/classes.txt": "pie\nribs\n",
    },
    "kitti": lambda: {
        **_pictures(*(f"data_object_image_2/training/image_2/00000{i}.png" for i in (0, 1))),
        **_pictures("data_object_image_2/testing/image_2/000000.png"),
        "data_object_label_2/training/label_2/000000.txt": (
            "Pedestrian 0.00 0 -0.20 712.40 143.00 810.73 307.92 1.89 0.48 1.20 1.84 1.47 8.41 0.01\n"
        ),
        "data_object_label_2/training/label_2/000001.txt": (
            "Truck 0.5 1 -1.57 599 156 629 189 2.85 2.63 12.34 0.47 1.49 69.44 -1.56\n"
            "DontCare -1 -1 -10 503.89 169.71 590.61 190.13 -1 -1 -1 -1000 -1000 -1000 -10\n"
        ),
    },
    "lfw": lambda: {
        **_pictures(*_LFW),
        "lfw-names.txt": "A_B\t2\nC\t1\n",
        "people.txt": "1\n2\nA_B\t2\nC\t1\n",
        "peopleDevTrain.txt": "1\nA_B\t2\n",
        "peopleDevTest.txt": "1\nC\t1\n",
        "pairs.txt": "1\t1\nA_B\t1\t2\nA_B\t1\tC\t1\n",
        "pairsDevTrain.txt": "1\nA_B\t1\t2\nA_B\t2\tC\t1\n",
        "pairsDevTest.txt": "1\nA_B\t2\t1\nC\t1\tA_B\t1\n",
    },
    "lsun": lambda: _pictures(
        "bedroom_train/1_1.jpg",
        "bedroom_train/1_2.jpg",
        "bedroom_val/1_1.jpg",
        "classroom_train/1_1.jpg",
        "classroom_val/1_3.jpg",
        "test/a.jpg",
    ),
    "omniglot": lambda: _pictures(
        "images_background/Greek/character01/1.png",
        "images_background/Greek/character02/1.png",
        "images_background/Latin/character01/2.png",
        "images_evaluation/Angelic/character01/1.png",
    ),
    "phototour": _phototour,
    "places": lambda: {
        "places365_train_standard.txt": "/a/b/1.jpg 0\n/c/2.jpg 1\n",
        "places365_train_challenge.txt": "/c/2.jpg 1\n",
        "places365_val.txt": "Places365_val_1.jpg 1\n",
        "categories_places365.txt": "/a/b 0\n/c 1\n",
        **_pictures(
            "data_256_standard/a/b/1.jpg",
            "data_256_standard/c/2.jpg",
            "data_large_standard/a/b/1.jpg",
            "data_large_standard/c/2.jpg",
            "val_256/Places365_val_1.jpg",
            "data_256_challenge/c/2.jpg",
        ),
    },
    "rendered": lambda: _pictures(
        *(f"{u}/{s}/0001.png" for u in ("train", "test", "valid") for s in ("negative", "positive"))
    ),
    "sbu": lambda: {
        "SBU_captioned_photo_dataset_urls.txt": (
            "http://static.flickr.com/2723/4385058960_b0f291553e.jpg\nhttp://static.flickr.com/1/2_3.jpg\n"
        ),
        "SBU_captioned_photo_dataset_captions.txt": "A wooden chair \nan other\n",
        **_pictures("sbu_images/m_2723_4385058960_b0f291553e.jpg", "sbu_images/m_1_2_3.jpg"),
    },
    "sun": lambda: {
        "ClassName.txt": "/a/abbey\n/a/flat/outdoor\n/b/bay\n",
        **_pictures(
            "a/abbey/sun_1.jpg", "a/abbey/sun_2.jpg", "a/flat/outdoor/sun_3.jpg", "b/bay/sun_4.jpg"
        ),
    },
    "wider": lambda: {
        **_pictures("WIDER_train/images/0--P/1.jpg", "WIDER_train/images/1--H/2.jpg"),
        **_pictures(
            "WIDER_val/images/0--P/3.jpg",
            "WIDER_val/images/1--H/5.jpg",
            "WIDER_test/images/0--P/4.jpg",
        ),
        "wider_face_split/wider_face_train_bbx_gt.txt": (
            "0--P/1.jpg\n2\n449 330 122 149 0 0 0 0 0 0 \n361 98 263 339 1 0 1 0 2 0 \n1--H/2.jpg\n1\n"
            "1 2 3 4 2 0 0 0 0 1 \n"
        ),
        "wider_face_split/wider_face_val_bbx_gt.txt": (
            "0--P/3.jpg\n1\n5 6 7 8 0 0 0 0 0 0 \n1--H/5.jpg\n0\n0 0 0 0 0 0 0 0 0 0 \n"
        ),
        "wider_face_split/wider_face_test_filelist.txt": "0--P/4.jpg\n",
    },
}

_DE = {"language_pair": ("de", "en")}
#: name: dataset, layout, arguments
CASES: dict[str, tuple[str, str, dict]] = {
    "YesNo": ("YesNoDataset", "yesno", {}),
    "CMUArctic": ("CMUArcticDataset", "arctic", {}),
    "CMUArctic name": ("CMUArcticDataset", "arctic", {"name": "ahw"}),
    "GTZAN": ("GTZANDataset", "gtzan", {}),
    **{f"GTZAN {u}": ("GTZANDataset", "gtzan", {"usage": u}) for u in ("train", "valid", "test")},
    "LJSpeech": ("LJSpeechDataset", "ljspeech", {}),
    "LibriTTS": ("LibriTTSDataset", "libritts", {}),
    "LibriTTS part": ("LibriTTSDataset", "libritts", {"usage": "test-other"}),
    "SpeechCommands": ("SpeechCommandsDataset", "commands", {}),
    **{
        f"SpeechCommands {u}": ("SpeechCommandsDataset", "commands", {"usage": u})
        for u in ("train", "valid", "test")
    },
    "Tedlium": ("TedliumDataset", "tedlium", {"release": "release1", "usage": "train"}),
    "Tedlium test": ("TedliumDataset", "tedlium", {"release": "release2", "usage": "test"}),
    "Tedlium 3": ("TedliumDataset", "tedlium3", {"release": "release3"}),
    "IWSLT2016": ("IWSLT2016Dataset", "iwslt16", _DE),
    **{
        f"IWSLT2016 {u}": ("IWSLT2016Dataset", "iwslt16", {"usage": u, **_DE})
        for u in ("train", "valid", "test")
    },
    "IWSLT2017": ("IWSLT2017Dataset", "iwslt17", _DE),
    **{
        f"IWSLT2017 {u}": ("IWSLT2017Dataset", "iwslt17", {"usage": u, **_DE})
        for u in ("train", "valid", "test")
    },
    "SQuAD": ("SQuADDataset", "squad1", {}),
    "SQuAD dev": ("SQuADDataset", "squad1", {"usage": "dev"}),
    "SQuAD2": ("SQuADDataset", "squad2", {"usage": "train"}),
    "Caltech256": ("Caltech256Dataset", "caltech256", {}),
    "Cityscapes": ("CityscapesDataset", "cityscapes", {}),
    **{
        f"Cityscapes {t}": ("CityscapesDataset", "cityscapes", {"usage": "all", "task": t})
        for t in ("semantic", "polygon", "color")
    },
    "DIV2K": ("DIV2KDataset", "div2k", {}),
    "DIV2K mild": ("DIV2KDataset", "div2k", {"usage": "all", "downgrade": "mild", "scale": 4}),
    "DIV2K 8": ("DIV2KDataset", "div2k", {"usage": "valid", "scale": 8}),
    "Flickr": (
        "FlickrDataset",
        "flickr",
        {"annotation_file": "@images.token", "dataset_dir": "@images"},
    ),
    "Food101": ("Food101Dataset", "food", {}),
    "Food101 train": ("Food101Dataset", "food", {"usage": "train"}),
    "KITTI": ("KITTIDataset", "kitti", {}),
    "KITTI test": ("KITTIDataset", "kitti", {"usage": "test"}),
    "LFW": ("LFWDataset", "lfw", {}),
    **{
        f"LFW {t} {u}": ("LFWDataset", "lfw", {"task": t, "usage": u})
        for t in ("people", "pairs")
        for u in ("train", "test", "10fold", "all")
    },
    "LSUN": ("LSUNDataset", "lsun", {}),
    **{f"LSUN {u}": ("LSUNDataset", "lsun", {"usage": u}) for u in ("train", "valid", "test")},
    "LSUN classes all": ("LSUNDataset", "lsun", {"classes": ["classroom", "bedroom"]}),
    "LSUN classes": ("LSUNDataset", "lsun", {"usage": "train", "classes": ["classroom"]}),
    "Omniglot": ("OmniglotDataset", "omniglot", {}),
    "Omniglot evaluation": ("OmniglotDataset", "omniglot", {"background": False}),
    "PhotoTour": ("PhotoTourDataset", "phototour", {"name": "liberty"}),
    "PhotoTour test": ("PhotoTourDataset", "phototour", {"name": "liberty", "usage": "test"}),
    "Places365": ("Places365Dataset", "places", {}),
    "Places365 large": ("Places365Dataset", "places", {"small": False}),
    "Places365 val": ("Places365Dataset", "places", {"usage": "val"}),
    "Places365 challenge": ("Places365Dataset", "places", {"usage": "train-challenge"}),
    "RenderedSST2": ("RenderedSST2Dataset", "rendered", {}),
    "RenderedSST2 val": ("RenderedSST2Dataset", "rendered", {"usage": "val"}),
    "SBU": ("SBUDataset", "sbu", {}),
    "SUN397": ("SUN397Dataset", "sun", {}),
    "WIDERFace": ("WIDERFaceDataset", "wider", {}),
    **{
        f"WIDERFace {u}": ("WIDERFaceDataset", "wider", {"usage": u})
        for u in ("train", "valid", "test")
    },
}


def write(folder: str, layout: str) -> None:
    """Write the files of a layout."""
    for name, data in LAYOUTS[layout]().items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
