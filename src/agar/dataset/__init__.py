"""Data pipelines: sources of rows, operations on them, samplers, transforms.

A dataset is a lazy tree of operations over a source. It is iterated by itself, by
``create_dict_iterator`` and ``create_tuple_iterator``, or given to ``Model.train``. Where workers
are asked for, torch's DataLoader runs the work in processes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from agar._core import absent as _absent
from agar.dataset.callback.ds_callback import DSCallback as DSCallback
from agar.dataset.callback.ds_callback import WaitedDSCallback as WaitedDSCallback
from agar.dataset.core import config as config
from agar.dataset.debug.debug_hook import DebugHook as DebugHook
from agar.dataset.engine.cache_client import DatasetCache as DatasetCache
from agar.dataset.engine.datasets import Dataset as Dataset
from agar.dataset.engine.datasets_annotated import Caltech101Dataset as Caltech101Dataset
from agar.dataset.engine.datasets_annotated import CityscapesDataset as CityscapesDataset
from agar.dataset.engine.datasets_annotated import DIV2KDataset as DIV2KDataset
from agar.dataset.engine.datasets_annotated import FlickrDataset as FlickrDataset
from agar.dataset.engine.datasets_annotated import Flowers102Dataset as Flowers102Dataset
from agar.dataset.engine.datasets_annotated import KITTIDataset as KITTIDataset
from agar.dataset.engine.datasets_annotated import LFWDataset as LFWDataset
from agar.dataset.engine.datasets_annotated import PhotoTourDataset as PhotoTourDataset
from agar.dataset.engine.datasets_annotated import SBUDataset as SBUDataset
from agar.dataset.engine.datasets_annotated import WIDERFaceDataset as WIDERFaceDataset
from agar.dataset.engine.datasets_audio import CMUArcticDataset as CMUArcticDataset
from agar.dataset.engine.datasets_audio import GTZANDataset as GTZANDataset
from agar.dataset.engine.datasets_audio import LibriTTSDataset as LibriTTSDataset
from agar.dataset.engine.datasets_audio import LJSpeechDataset as LJSpeechDataset
from agar.dataset.engine.datasets_audio import SpeechCommandsDataset as SpeechCommandsDataset
from agar.dataset.engine.datasets_audio import TedliumDataset as TedliumDataset
from agar.dataset.engine.datasets_audio import YesNoDataset as YesNoDataset
from agar.dataset.engine.datasets_boundaries import SBDataset as SBDataset
from agar.dataset.engine.datasets_generated import RandomDataset as RandomDataset
from agar.dataset.engine.datasets_labeled import Caltech256Dataset as Caltech256Dataset
from agar.dataset.engine.datasets_labeled import Food101Dataset as Food101Dataset
from agar.dataset.engine.datasets_labeled import LSUNDataset as LSUNDataset
from agar.dataset.engine.datasets_labeled import OmniglotDataset as OmniglotDataset
from agar.dataset.engine.datasets_labeled import Places365Dataset as Places365Dataset
from agar.dataset.engine.datasets_labeled import RenderedSST2Dataset as RenderedSST2Dataset
from agar.dataset.engine.datasets_labeled import SUN397Dataset as SUN397Dataset
from agar.dataset.engine.datasets_standard_format import CSVDataset as CSVDataset
from agar.dataset.engine.datasets_standard_format import MindDataset as MindDataset
from agar.dataset.engine.datasets_standard_format import TFRecordDataset as TFRecordDataset
from agar.dataset.engine.datasets_text import AGNewsDataset as AGNewsDataset
from agar.dataset.engine.datasets_text import AmazonReviewDataset as AmazonReviewDataset
from agar.dataset.engine.datasets_text import CLUEDataset as CLUEDataset
from agar.dataset.engine.datasets_text import CoNLL2000Dataset as CoNLL2000Dataset
from agar.dataset.engine.datasets_text import DBpediaDataset as DBpediaDataset
from agar.dataset.engine.datasets_text import EnWik9Dataset as EnWik9Dataset
from agar.dataset.engine.datasets_text import IMDBDataset as IMDBDataset
from agar.dataset.engine.datasets_text import Multi30kDataset as Multi30kDataset
from agar.dataset.engine.datasets_text import PennTreebankDataset as PennTreebankDataset
from agar.dataset.engine.datasets_text import SogouNewsDataset as SogouNewsDataset
from agar.dataset.engine.datasets_text import SST2Dataset as SST2Dataset
from agar.dataset.engine.datasets_text import TextFileDataset as TextFileDataset
from agar.dataset.engine.datasets_text import UDPOSDataset as UDPOSDataset
from agar.dataset.engine.datasets_text import WikiTextDataset as WikiTextDataset
from agar.dataset.engine.datasets_text import YahooAnswersDataset as YahooAnswersDataset
from agar.dataset.engine.datasets_text import YelpReviewDataset as YelpReviewDataset
from agar.dataset.engine.datasets_translation import IWSLT2016Dataset as IWSLT2016Dataset
from agar.dataset.engine.datasets_translation import IWSLT2017Dataset as IWSLT2017Dataset
from agar.dataset.engine.datasets_translation import SQuADDataset as SQuADDataset
from agar.dataset.engine.datasets_user_defined import GeneratorDataset as GeneratorDataset
from agar.dataset.engine.datasets_user_defined import NumpySlicesDataset as NumpySlicesDataset
from agar.dataset.engine.datasets_user_defined import PaddedDataset as PaddedDataset
from agar.dataset.engine.datasets_vision import CelebADataset as CelebADataset
from agar.dataset.engine.datasets_vision import Cifar10Dataset as Cifar10Dataset
from agar.dataset.engine.datasets_vision import Cifar100Dataset as Cifar100Dataset
from agar.dataset.engine.datasets_vision import CocoDataset as CocoDataset
from agar.dataset.engine.datasets_vision import EMnistDataset as EMnistDataset
from agar.dataset.engine.datasets_vision import FakeImageDataset as FakeImageDataset
from agar.dataset.engine.datasets_vision import FashionMnistDataset as FashionMnistDataset
from agar.dataset.engine.datasets_vision import ImageFolderDataset as ImageFolderDataset
from agar.dataset.engine.datasets_vision import KMnistDataset as KMnistDataset
from agar.dataset.engine.datasets_vision import ManifestDataset as ManifestDataset
from agar.dataset.engine.datasets_vision import MnistDataset as MnistDataset
from agar.dataset.engine.datasets_vision import QMnistDataset as QMnistDataset
from agar.dataset.engine.datasets_vision import SemeionDataset as SemeionDataset
from agar.dataset.engine.datasets_vision import STL10Dataset as STL10Dataset
from agar.dataset.engine.datasets_vision import SVHNDataset as SVHNDataset
from agar.dataset.engine.datasets_vision import USPSDataset as USPSDataset
from agar.dataset.engine.datasets_vision import VOCDataset as VOCDataset
from agar.dataset.engine.operations import BatchInfo as BatchInfo
from agar.dataset.engine.samplers import DistributedSampler as DistributedSampler
from agar.dataset.engine.samplers import IterSampler as IterSampler
from agar.dataset.engine.samplers import PKSampler as PKSampler
from agar.dataset.engine.samplers import RandomSampler as RandomSampler
from agar.dataset.engine.samplers import Sampler as Sampler
from agar.dataset.engine.samplers import SequentialSampler as SequentialSampler
from agar.dataset.engine.samplers import Shuffle as Shuffle
from agar.dataset.engine.samplers import SubsetRandomSampler as SubsetRandomSampler
from agar.dataset.engine.samplers import SubsetSampler as SubsetSampler
from agar.dataset.engine.samplers import WeightedRandomSampler as WeightedRandomSampler
from agar.dataset.engine.schema import Schema as Schema
from agar.dataset.engine.schema import zip as zip
from agar.dataset.engine.serializer_deserializer import compare as compare
from agar.dataset.engine.serializer_deserializer import deserialize as deserialize
from agar.dataset.engine.serializer_deserializer import serialize as serialize
from agar.dataset.engine.serializer_deserializer import show as show

if TYPE_CHECKING:
    from collections.abc import Callable

    get_video_backend: Callable[[], str]
    set_video_backend: Callable[[str], None]

get_video_backend = vars(config)["get_video_backend"]
set_video_backend = vars(config)["set_video_backend"]

_OWN = [
    "CMUArcticDataset",
    "GTZANDataset",
    "LJSpeechDataset",
    "LibriTTSDataset",
    "SpeechCommandsDataset",
    "TedliumDataset",
    "YesNoDataset",
    "IWSLT2016Dataset",
    "IWSLT2017Dataset",
    "SQuADDataset",
    "Caltech256Dataset",
    "Food101Dataset",
    "LSUNDataset",
    "OmniglotDataset",
    "Places365Dataset",
    "RenderedSST2Dataset",
    "SUN397Dataset",
    "Caltech101Dataset",
    "RandomDataset",
    "SBDataset",
    "CityscapesDataset",
    "DIV2KDataset",
    "FlickrDataset",
    "Flowers102Dataset",
    "KITTIDataset",
    "LFWDataset",
    "PhotoTourDataset",
    "SBUDataset",
    "WIDERFaceDataset",
    "AGNewsDataset",
    "AmazonReviewDataset",
    "BatchInfo",
    "CLUEDataset",
    "CSVDataset",
    "MindDataset",
    "CelebADataset",
    "Cifar100Dataset",
    "Cifar10Dataset",
    "CoNLL2000Dataset",
    "CocoDataset",
    "DBpediaDataset",
    "DSCallback",
    "Dataset",
    "DatasetCache",
    "DebugHook",
    "DistributedSampler",
    "EMnistDataset",
    "EnWik9Dataset",
    "FakeImageDataset",
    "FashionMnistDataset",
    "GeneratorDataset",
    "IMDBDataset",
    "ImageFolderDataset",
    "IterSampler",
    "KMnistDataset",
    "ManifestDataset",
    "MnistDataset",
    "Multi30kDataset",
    "NumpySlicesDataset",
    "PKSampler",
    "PaddedDataset",
    "PennTreebankDataset",
    "QMnistDataset",
    "RandomSampler",
    "SST2Dataset",
    "STL10Dataset",
    "SVHNDataset",
    "Sampler",
    "Schema",
    "SemeionDataset",
    "SequentialSampler",
    "Shuffle",
    "SogouNewsDataset",
    "SubsetRandomSampler",
    "SubsetSampler",
    "TFRecordDataset",
    "TextFileDataset",
    "UDPOSDataset",
    "USPSDataset",
    "VOCDataset",
    "WaitedDSCallback",
    "WeightedRandomSampler",
    "WikiTextDataset",
    "YahooAnswersDataset",
    "YelpReviewDataset",
    "compare",
    "config",
    "deserialize",
    "get_video_backend",
    "serialize",
    "set_video_backend",
    "show",
    "zip",
]
__all__ = [*_absent.names("dataset"), *_OWN]

#: loaded when they are first asked for: they need Pillow, or more
_PACKAGES = frozenset(
    [
        "audio",
        "callback",
        "dataloader",
        "debug",
        "engine",
        "samplers",
        "text",
        "transforms",
        "utils",
        "vision",
    ]
)
_absent_name = _absent.finder(__name__, globals())


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        home = "engine.samplers" if name == "samplers" else name
        return import_module(f"agar.dataset.{home}")
    return _absent_name(name)
