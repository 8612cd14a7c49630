"""BleuScore."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from agar.nn.metrics.metric import Metric, rearrange_inputs
from agar.ops._checks import boolean, integer

__all__ = ["BleuScore"]


def _grams(words: list[str], longest: int) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(words[i : i + n]) for n in range(1, longest + 1) for i in range(len(words) - n + 1)
    )


class BleuScore(Metric):
    r"""BLEU score of translations against references.

    .. math:: BP \cdot \exp\left(\frac1n \sum_{k=1}^n \log p_k\right)

    where :math:`p_k` is the fraction of n-grams of k words that occur in a reference, and BP is the
    brevity penalty for translations that are too short.

    Args:
        n_gram (int): the longest n-gram, 1 to 4. Default: ``4``.
        smooth (bool): whether one is added to numerators and divisors. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `n_gram` is out of range.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: Papineni et al. (2002), BLEU; behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.train import BleuScore
        >>> metric = BleuScore(n_gram=1)
        >>> metric.clear()
        >>> metric.update([["a", "b"]], [[["a", "c"]]])
        >>> metric.eval()
        0.5
    """

    def __init__(self, n_gram: int = 4, smooth: bool = False) -> None:
        super().__init__()
        self.n_gram = integer("BleuScore", "n_gram", n_gram, 1)
        if n_gram > 4:
            raise ValueError(f"For 'BleuScore', the 'n_gram' must be 1 to 4, but got {n_gram}.")
        self.smooth = boolean("BleuScore", "smooth", smooth)
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._right = [0] * self.n_gram
        self._all = [0] * self.n_gram
        self._translation_len = 0
        self._reference_len = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update the metric with translations (lists of words) and for each its references.

        Args:
            inputs (tuple[list]): the translations, each a list of words; and for each translation a
                list of references, each a list of words.

        Raises:
            ValueError: the numbers of translations and of references differ.
        """
        if len(inputs) != 2:
            raise ValueError(
                "For 'BleuScore.update', it needs 2 inputs (candidate_corpus, reference_corpus), "
                f"but got {len(inputs)}."
            )
        candidates, references = inputs
        if len(candidates) != len(references):
            raise ValueError(
                "For 'BleuScore.update', each candidate needs its references, but got "
                f"{len(candidates)} candidates and {len(references)} lists of references."
            )
        for words, choices in zip(candidates, references, strict=True):
            self._translation_len += len(words)
            lengths = [len(choice) for choice in choices]
            self._reference_len += min(lengths, key=lambda n: (abs(n - len(words)), n))
            result = _grams(words, self.n_gram)
            known: Counter[tuple[str, ...]] = Counter()
            for choice in choices:
                known |= _grams(choice, self.n_gram)
            for gram, count in (result & known).items():
                self._right[len(gram) - 1] += count
            for gram, count in result.items():
                self._all[len(gram) - 1] += count

    def eval(self) -> float:
        """The score.

        Raises:
            RuntimeError: there are no samples yet.
        """
        self._needs_samples(self._translation_len)
        if min(self._right) == 0 and not self.smooth:
            return 0.0
        more = 1 if self.smooth else 0
        rates = [(r + more) / (a + more) for r, a in zip(self._right, self._all, strict=True)]
        mean = math.exp(sum(math.log(rate) for rate in rates) / self.n_gram)
        ratio = self._reference_len / self._translation_len
        return mean * (1.0 if ratio < 1.0 else math.exp(1.0 - ratio))
