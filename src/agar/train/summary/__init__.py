"""Summaries of a training, written into files that TensorBoard shows."""

from agar.train.summary.summary_record import SummaryRecord as SummaryRecord

__all__ = ["SummaryRecord"]
