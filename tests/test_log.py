"""agar.log: Python's logging with MindSpore's names, levels and form."""

from __future__ import annotations

import logging
import re

import pytest

import agar as ms
from agar import log


@pytest.fixture
def logger(monkeypatch: pytest.MonkeyPatch) -> logging.Logger:
    """A logger of the test's own in place of agar's."""
    result = logging.Logger("agar of a test")
    monkeypatch.setattr(log, "_logger", result)
    return result


@pytest.mark.parametrize("name", ["debug", "info", "warning", "error", "critical"])
def test_messages_name_the_line_that_logs(caplog: pytest.LogCaptureFixture, name: str) -> None:
    caplog.set_level(logging.DEBUG, "agar")
    getattr(log, name)("%d of %s", 3, "four")
    (record,) = caplog.records
    assert record.getMessage() == "3 of four"
    assert record.levelname == name.upper()
    assert record.pathname == __file__
    assert record.name == "agar"


def test_the_environment_sets_the_level(logger, monkeypatch, capsys) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setenv("GLOG_v", "1")
    log._set_up()
    assert (log.get_level(), ms.get_level()) == ("1", "1")
    assert log.get_log_config() == {"GLOG_v": "1", "GLOG_logtostderr": "1"}
    log.debug("hidden")
    log.info("shown")
    form = (
        r"\[INFO\] ME\(\d+:\d+,MainProcess\):\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.000 "
        r"\[.*test_log\.py:\d+\] shown\n"
    )
    assert re.fullmatch(form, capsys.readouterr().err)


def test_a_program_that_sets_up_logging_gets_each_message_once(logger, monkeypatch, capsys) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [logging.NullHandler()])
    monkeypatch.setenv("GLOG_v", "1")
    log._set_up()
    log.warning("shown by the program's handlers")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("value", [None, "5", "x", ""])
def test_without_a_level_in_the_environment_nothing_is_set_up(logger, monkeypatch, value) -> None:
    monkeypatch.delenv("GLOG_v", raising=False)
    if value is not None:
        monkeypatch.setenv("GLOG_v", value)
    log._set_up()
    assert logger.handlers == []
    assert logger.level == logging.NOTSET


def test_levels_of_logging_between_those_of_mindspore(logger) -> None:
    for level, shown in ((10, "0"), (15, "1"), (30, "2"), (35, "3"), (99, "4")):
        logger.setLevel(level)
        assert log.get_level() == shown
