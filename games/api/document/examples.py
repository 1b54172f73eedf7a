"""An example of every call: what was sent and what came back in a recorded scenario.

``examples.json`` lies beside this module; tests/api/test_examples.py makes it from the recorded
answers of the suite, so no example is made up.
"""

from pathlib import Path
from typing import Any, Final

import msgspec

from config.api.document import operations

FILE: Final = Path(__file__).with_name("examples.json")


class Example(msgspec.Struct, frozen=True):
    """``request`` is null for a call without a body."""

    request: Any
    status: int
    answer: Any


def show_examples(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """drf-spectacular's postprocessing hook."""
    examples = msgspec.json.decode(FILE.read_bytes(), type=dict[str, Example])
    for _path, _method, operation in operations(result):
        example = examples.get(operation["operationId"])
        if example is not None:
            _show(operation, example)
    return result


def _show(operation: dict[str, Any], example: Example) -> None:
    _fill(operation.get("requestBody"), example.request)
    answers = operation["responses"]
    answered = dict(answers.get(str(example.status), {}).get("content", {}))
    for status, answer in answers.items():
        # Where a call answers with the same in two ways (200, 201), one example is of both.
        if status[0] == "2" and answer.get("content") == answered:
            _fill(answer, example.answer)


def _fill(place: dict[str, Any] | None, shown: Any) -> None:
    content = (place or {}).get("content", {})
    if "application/json" in content and shown is not None:
        content["application/json"] = content["application/json"] | {"example": shown}
