"""MindRecord files: rows of named fields, as MindSpore writes and reads them."""

from __future__ import annotations

from agar.mindrecord.config import set_dec_mode as set_dec_mode
from agar.mindrecord.config import set_enc_key as set_enc_key
from agar.mindrecord.config import set_enc_mode as set_enc_mode
from agar.mindrecord.core.shardutils import FAILED as FAILED
from agar.mindrecord.core.shardutils import SUCCESS as SUCCESS
from agar.mindrecord.filereader import FileReader as FileReader
from agar.mindrecord.filewriter import FileWriter as FileWriter
from agar.mindrecord.mindpage import MindPage as MindPage
from agar.mindrecord.tools.cifar10_to_mr import Cifar10ToMR as Cifar10ToMR
from agar.mindrecord.tools.cifar100_to_mr import Cifar100ToMR as Cifar100ToMR
from agar.mindrecord.tools.csv_to_mr import CsvToMR as CsvToMR
from agar.mindrecord.tools.imagenet_to_mr import ImageNetToMR as ImageNetToMR
from agar.mindrecord.tools.mnist_to_mr import MnistToMR as MnistToMR
from agar.mindrecord.tools.tfrecord_to_mr import TFRecordToMR as TFRecordToMR

__all__ = [
    "FAILED",
    "SUCCESS",
    "Cifar10ToMR",
    "Cifar100ToMR",
    "CsvToMR",
    "FileReader",
    "FileWriter",
    "ImageNetToMR",
    "MindPage",
    "MnistToMR",
    "TFRecordToMR",
    "set_dec_mode",
    "set_enc_key",
    "set_enc_mode",
]
