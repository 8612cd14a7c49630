"""Vocabularies that are made from a dataset, at their older names."""

from __future__ import annotations

from typing import Any

__all__ = ["Vocabularies"]


class Vocabularies:
    """A part of datasets of text."""

    def build_vocab(
        self,
        columns: Any,
        freq_range: Any,
        top_k: int | None,
        special_tokens: list[str] | None,
        special_first: bool,
    ) -> Any:
        """``text.Vocab.from_dataset`` of this dataset, at its older name.

        Args:
            columns (Union[str, list[str]]): the columns of strings; None for all.
            freq_range (tuple[int]): the least and largest frequency of words that are taken.
            top_k (int): the number of words to take; None for all.
            special_tokens (list[str]): words that are added; None for none.
            special_first (bool): whether those come first.

        Source: behavior observed in MindSpore 2.10.
        """
        from agar.dataset.text.utils import Vocab  # the tokenizers load with it

        return Vocab.from_dataset(self, columns, freq_range, top_k, special_tokens, special_first)

    def build_sentencepiece_vocab(
        self, columns: Any, vocab_size: int, character_coverage: float, model_type: Any, params: Any
    ) -> Any:
        """``text.SentencePieceVocab.from_dataset`` of this dataset, at its older name.

        Args:
            columns (list[str]): the columns of strings.
            vocab_size (int): the number of entries.
            character_coverage (float): the share of characters that are covered.
            model_type (SentencePieceModel): the kind of model.
            params (dict): further settings.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: an argument is out of range.
            RuntimeError: SentencePiece cannot train with the text.
            ImportError: the package sentencepiece is not installed.

        Source: behavior observed in MindSpore 2.10.
        """
        from agar.dataset.text.utils import SentencePieceVocab  # the tokenizers load with it

        return SentencePieceVocab.from_dataset(
            self, columns, vocab_size, character_coverage, model_type, params
        )
