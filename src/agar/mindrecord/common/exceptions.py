"""Errors of MindRecord files, with MindSpore's names and numbers."""

from __future__ import annotations

__all__: list[str] = []


class MindRecordException(Exception):
    """The base of errors of MindRecord files.

    Args:
        detail (str): what is wrong; empty for the sentence of the class. Default: ``""``.

    Examples:
        >>> from agar.mindrecord.common.exceptions import MRMOpenError
        >>> print(MRMOpenError("There is no file a.mindrecord."))
        [MRMOpenError]: There is no file a.mindrecord.
    """

    #: the error's number among those of MindRecord
    number = 0

    def __init__(self, detail: str = "") -> None:
        super().__init__()
        self.error_msg = detail or (type(self).__doc__ or "").split("\n", 1)[0]

    def __str__(self) -> str:
        return f"[{type(self).__name__}]: {self.error_msg}"

    @property
    def error_code(self) -> int:
        """The error's number in MindSpore."""
        return self.transform_error_code(self.number)

    @staticmethod
    def transform_error_code(exception_no: int) -> int:
        """The number that MindSpore gives to an error.

        Args:
            exception_no (int): its number among those of MindRecord.

        Examples:
            >>> from agar.mindrecord.common.exceptions import MindRecordException
            >>> MindRecordException.transform_error_code(100)
            1347690596
        """
        host, code, system, module = 0b01, 0b01, 0b00101010, exception_no // 100 + 1
        return host << 30 | code << 28 | system << 17 | module << 12 | exception_no & 0xFFF


class ParamTypeError(MindRecordException):
    """An argument is of the wrong type.

    Args:
        param_name (str): the argument.
        expected_type (str): what it should be.
    """

    number = 1

    def __init__(self, param_name: str, expected_type: str) -> None:
        super().__init__(f"Invalid parameter type. '{param_name}' expect {expected_type} type.")


class ParamValueError(MindRecordException):
    """An argument has a wrong value.

    Args:
        error_detail (str): what is wrong.
    """

    number = 2

    def __init__(self, error_detail: str) -> None:
        super().__init__(f"Invalid parameter value. {error_detail}")


class UnknownError(MindRecordException):
    """Something went wrong."""

    number = 0


class ParamMissError(MindRecordException):
    """An argument is missing."""

    number = 3


class PathNotExistsError(MindRecordException):
    """There is no such path."""

    number = 4


class DbConnectionError(MindRecordException):
    """The index cannot be opened."""

    number = 5


class MRMOpenError(MindRecordException):
    """The MindRecord file cannot be opened."""

    number = 100


class MRMOpenForAppendError(MindRecordException):
    """The MindRecord file cannot be opened to append rows."""

    number = 101


class MRMInvalidPageSizeError(MindRecordException):
    """The size of pages cannot be set."""

    number = 102


class MRMInvalidHeaderSizeError(MindRecordException):
    """The size of the header cannot be set."""

    number = 103


class MRMSetHeaderError(MindRecordException):
    """The header cannot be set."""

    number = 104


class MRMWriteDatasetError(MindRecordException):
    """The rows cannot be written."""

    number = 105


class MRMCommitError(MindRecordException):
    """The file cannot be completed."""

    number = 107


class MRMLaunchError(MindRecordException):
    """Reading cannot begin."""

    number = 108


class MRMFinishError(MindRecordException):
    """Reading cannot end."""

    number = 109


class MRMCloseError(MindRecordException):
    """The file cannot be closed."""

    number = 110


class MRMAddSchemaError(MindRecordException):
    """The schema cannot be added."""

    number = 111


class MRMAddIndexError(MindRecordException):
    """The index field cannot be added."""

    number = 112


class MRMBuildSchemaError(MindRecordException):
    """The schema cannot be built."""

    number = 113


class MRMGetMetaError(MindRecordException):
    """There is no schema: call add_schema first."""

    number = 114


class MRMIndexGeneratorError(MindRecordException):
    """The index cannot be made."""

    number = 115


class MRMGenerateIndexError(MindRecordException):
    """The index cannot be written."""

    number = 116


class MRMInitSegmentError(MindRecordException):
    """The file cannot be read by categories."""

    number = 117


class MRMFetchCandidateFieldsError(MindRecordException):
    """The index fields cannot be read."""

    number = 118


class MRMReadCategoryInfoError(MindRecordException):
    """The categories cannot be read: set category_field first."""

    number = 119


class MRMFetchDataError(MindRecordException):
    """The rows of the category cannot be read."""

    number = 120


class MRMInvalidSchemaError(MindRecordException):
    """The schema is wrong."""

    number = 200


class MRMValidateDataError(MindRecordException):
    """The rows do not fit the schema."""

    number = 201


class MRMDefineIndexError(MindRecordException):
    """The index field is wrong."""

    number = 202


class MRMDefineBlobError(MindRecordException):
    """The blob field is wrong."""

    number = 203


class MRMUnsupportedSchemaError(MindRecordException):
    """The schema is not supported."""

    number = 204


class MRMDefineCategoryError(MindRecordException):
    """The category field is wrong."""

    number = 205
