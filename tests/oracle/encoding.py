"""Results as JSON, and the comparison of a live result with a recorded one.

| value | JSON |
| --- | --- |
| Tensor | ``{"t": "Float32", "s": [2, 3], "v": [...]}``, C order |
| Parameter | the same with ``"p": name`` |
| numpy array | ``{"nd": "float32", "s": ..., "v": ...}`` |
| tuple, list, dict | ``{"tuple": [...]}``, ``{"list": [...]}``, ``{"dict": [[key, value], ...]}`` |
| None, bool, int, str | themselves |
| float, complex | ``{"f": x}``, ``{"c": [re, im]}``; "nan", "inf", "-inf" are strings |
| dtype | ``{"dtype": "Float32"}`` |
| anything else | ``{"type": class name}`` |
| exception | ``{"error": "ValueError", "words": [...]}``; ``"message"`` is not recorded |

Floats keep 8 significant digits (float64: 12, float16 and bfloat16: 5).
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

DIGITS = {"float64": 12, "complex128": 12, "float16": 5, "bfloat16": 5}

# rtol, atol. The oracle's kernels and torch's sum in different orders, hence not exact.
TOLERANCE = {
    "Float64": (1e-9, 1e-11),
    "Complex128": (1e-9, 1e-11),
    "Float32": (3e-5, 1e-5),
    "Complex64": (3e-5, 1e-5),
    "Float16": (4e-3, 1e-3),
    "BFloat16": (2e-2, 1e-2),
    "number": (2e-6, 1e-12),  # a Python float or complex
}


def _number(value: float, digits: int) -> float | str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return float(f"{value:.{digits}g}")


def _flat(array: np.ndarray, dtype: str) -> list:
    if dtype.startswith("complex"):
        pairs = np.stack([array.real, array.imag], -1).reshape(-1)
        return [_number(float(v), DIGITS.get(dtype, 8)) for v in pairs]
    if dtype.startswith(("float", "bfloat")):
        return [_number(float(v), DIGITS.get(dtype, 8)) for v in array.reshape(-1)]
    if dtype == "bool":
        return [int(v) for v in array.reshape(-1)]
    return array.reshape(-1).tolist()


def to_array(ms: Any, value: Any) -> np.ndarray:
    """The tensor's values; bfloat16, which numpy lacks, as float32."""
    if value.dtype == ms.bfloat16:
        value = value.astype(ms.float32)
    return value.asnumpy()


def encode(ms: Any, value: Any) -> Any:
    """`value`, a result of the framework `ms`, as JSON data."""
    if isinstance(value, ms.Tensor):
        array = to_array(ms, value)
        dtype = str(value.dtype)
        record = {"t": dtype, "s": list(value.shape), "v": _flat(array, dtype.lower())}
        if isinstance(value, ms.Parameter):
            record["p"] = value.name
        return record
    if isinstance(value, np.ndarray):
        return {"nd": str(value.dtype), "s": list(value.shape), "v": _flat(value, str(value.dtype))}
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.generic):
        return {"np": str(value.dtype), "v": _flat(np.asarray(value), str(value.dtype))}
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return {"f": _number(float(value), 12)}
    if isinstance(value, complex):
        return {"c": [_number(value.real, 12), _number(value.imag, 12)]}
    if isinstance(value, tuple):
        return {"tuple": [encode(ms, v) for v in value]}
    if isinstance(value, list):
        return {"list": [encode(ms, v) for v in value]}
    if isinstance(value, dict):
        return {"dict": [[encode(ms, k), encode(ms, v)] for k, v in value.items()]}
    if value in DTYPES(ms):
        return {"dtype": str(value)}
    if isinstance(value, type):
        return {"class": value.__name__}
    return {"type": type(value).__name__}


def DTYPES(ms: Any) -> list:
    """The framework's tensor dtypes."""
    names = (
        "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 "
        "complex64 complex128"
    )
    return [getattr(ms, name) for name in names.split()]


def encode_error(error: BaseException) -> dict:
    """Type and telling words of an exception: the quoted words and numbers of its first line."""
    lines = [line for line in str(error).strip().split("\n") if line.strip(" -")]
    first = lines[0] if lines else ""
    matches = re.findall(r"'([\w.\[\]()+-]{1,40})'|\b(\d+(?:\.\d+)?)\b", first)
    words = [word for pair in matches for word in pair if re.search(r"\w", word)]
    return {
        "error": type(error).__name__,
        "words": list(dict.fromkeys(words))[:6],
        "message": first[:300],
    }


def without_messages(value: Any) -> Any:
    """Encoded data as they are recorded: sentences of exceptions left out."""
    if isinstance(value, dict):
        return {key: without_messages(part) for key, part in value.items() if key != "message"}
    if isinstance(value, list):
        return [without_messages(part) for part in value]
    return value


def without_addresses(text: str) -> str:
    """Object addresses and machine dependent parts of a repr replaced."""
    return re.sub(r"0x[0-9a-fA-F]+", "0x0", text)


def _decode(values: list) -> np.ndarray:
    return np.array([float(v) for v in values], np.float64)


def differences(
    expected: Any, got: Any, where: str = "result", tolerance: dict | None = None
) -> list[str]:
    """What differs between a recorded and a live result, both encoded; empty when they agree."""
    tolerance = tolerance or TOLERANCE
    if (
        isinstance(got, dict)
        and "error" in got
        and not (isinstance(expected, dict) and "error" in expected)
    ):
        return [
            f"{where}: raised {got['error']}: {got.get('message', '')}; recorded {expected!r:.120}"
        ]
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in ("t", "nd", "np", "s", "p", "error", "dtype", "class", "type"):
            if expected.get(key) != got.get(key):
                return [f"{where}: {key} {got.get(key)!r}, recorded {expected.get(key)!r}"]
        if "v" in expected:
            kind = expected.get("t") or expected.get("nd") or expected.get("np")
            rtol, atol = tolerance.get(kind[0].upper() + kind[1:], (0.0, 0.0))
            if kind.lower() == "bfloat16":
                rtol, atol = tolerance["BFloat16"]
            if kind.lower() == "string":
                return (
                    []
                    if expected["v"] == got["v"]
                    else [f"{where}: {got['v']}, recorded {expected['v']}"]
                )
            want, have = _decode(expected["v"]), _decode(got["v"])
            bad = ~np.isclose(have, want, rtol=rtol, atol=atol, equal_nan=True)
            if bad.any():
                at = int(
                    np.argmax(np.where(bad, np.nan_to_num(np.abs(have - want), nan=np.inf), -1))
                )
                return [
                    f"{where}: {int(bad.sum())} of {bad.size} values differ, "
                    f"worst at {at}: {have[at]!r}, recorded {want[at]!r}"
                ]
            return []
        for key in ("f", "c"):
            if key in expected:
                want = _decode(np.atleast_1d(expected[key]).tolist())
                have = _decode(np.atleast_1d(got.get(key, "nan")).tolist())
                rtol, atol = tolerance["number"]
                ok = have.shape == want.shape and np.allclose(
                    have, want, rtol=rtol, atol=atol, equal_nan=True
                )
                return [] if ok else [f"{where}: {got}, recorded {expected}"]
        for key in ("tuple", "list"):
            if key in expected:
                return _sequence(expected[key], got.get(key), where, tolerance)
        if "dict" in expected:
            return _sequence(expected["dict"], got.get("dict"), where, tolerance)
        if set(expected) - {"message"} != set(got) - {"message"}:
            return [f"{where}: {sorted(got)}, recorded {sorted(expected)}"]
        problems = []
        for key in expected:
            if key not in ("words", "message"):
                problems += differences(expected[key], got[key], f"{where}.{key}", tolerance)
        return problems
    if isinstance(expected, list) and isinstance(got, list):
        return _sequence(expected, got, where, tolerance)
    if expected != got or type(expected) is not type(got):
        return [f"{where}: {got!r}, recorded {expected!r}"]
    return []


def _sequence(expected: list, got: Any, where: str, tolerance: dict) -> list[str]:
    if not isinstance(got, list) or len(expected) != len(got):
        return [f"{where}: {got!r:.200}, recorded {expected!r:.200}"]
    problems = []
    for index, (want, have) in enumerate(zip(expected, got, strict=True)):
        problems += differences(want, have, f"{where}[{index}]", tolerance)
    return problems
