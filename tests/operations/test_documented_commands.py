"""Every command that the documents name exists and takes what they give it.

Blocks of commands are read as the shell reads them, aliases of the same document in their places,
and parsed by the very parser of the command; what stands in a sentence has to exist.
"""

import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.management import CommandError, get_commands, load_command_class

from cardroom.__main__ import COMMANDS
from config.celery import app
from docs.building import pages, source
from tests.config.compose import read

ROOT = Path(__file__).resolve().parents[2]
HISTORY = "CHANGELOG.md"  # it names what was, too
DOCUMENTS = [
    "README.md",
    *(str(source(page).relative_to(ROOT)) for page in pages() if page != HISTORY),
]
FEWEST = {
    "README.md": 4,
    "CONTRIBUTING.md": 15,
    "docs/testing.md": 15,
    "docker/RUNBOOK.md": 15,
    "docker/SCALING.md": 3,
}
BLOCK = re.compile(r"^ *```(?:sh|bash|console)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
FENCED = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`([^`]+)`")
OURS = re.compile(  # the rest of a block is the shell's own: curl, variables, loops
    r"\s*([A-Z_]+=\S* )*(make|docker compose|celery|\S*python3? (manage\.py|-m))\b"
)
SETTING = re.compile(r"[A-Z_]+=")
COMPOSE = {"build", "exec", "logs", "ps", "restart", "run", "stop", "up"}
OF_SERVICES = {"exec", "restart", "run", "stop"}
HEADS = ("manage.py ", "manage ", "make ", "docker compose ", "compose ", "celery ", "python -m ")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
_RULES = re.findall(r"^([\w ./$()-]+):", MAKEFILE, re.MULTILINE)
IMPORTED = """
import os, sys
from importlib import import_module
for module in sys.argv[1:]:
    assert "DJANGO_SETTINGS_MODULE" not in os.environ, module
    import_module(module)
"""
TARGETS = {name.replace("$(VENV)", ".venv") for names in _RULES for name in names.split()}


def words_of(line: str, aliases: dict[str, str]) -> list[str]:
    """The words of a line, without settings before it and what is piped after it."""
    line = re.sub(r"\s#.*", "", line)
    for _ in range(3):
        head, _, rest = line.strip().partition(" ")
        line = f"{aliases[head]} {rest}" if head in aliases else line
    words = shlex.split(re.sub(r"\s[|<>&]\s.*", "", line))
    while words and SETTING.match(words[0]):
        words.pop(0)
    return words


def commands(document: str):
    """Each line of the blocks, and each command in a sentence, with whether it is whole."""
    text = (ROOT / document).read_text(encoding="utf-8")
    aliases: dict[str, str] = {}
    for block in BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            named = re.match(r"\s*alias (\w+)='([^']*)'", line)
            if named:
                aliases[named[1]] = named[2]
            elif OURS.match(line) or line.split(" ")[0] in aliases:
                yield words_of(line, aliases), True
    for named in INLINE.findall(FENCED.sub("", text)):
        line = " ".join(named.split())
        if line.startswith(HEADS):
            yield words_of(line, aliases), False


def check(words: list[str], *, whole: bool) -> None:
    match words:
        case ["docker", "compose", *rest]:
            check_compose(rest, whole=whole)
        case [python, "-m", module, *rest] if Path(python).name.startswith("python"):
            check_module(module, rest)
        case [python, "manage.py", *rest] if Path(python).name.startswith("python"):
            check_manage(rest, whole=whole)
        case ["manage.py", "--version"]:
            pass  # answered before Django is there: tests/config/test_version.py
        case ["manage.py" | "manage", *rest]:
            check_manage(rest, whole=whole)
        case ["celery", "-A", project, "call", task]:
            assert project == "config.celery"
            app.loader.import_default_modules()
            assert task in app.tasks.keys()  # noqa: SIM118 - the registry makes what it is asked for
        case ["make", *rest]:
            check_make(rest)


def check_compose(rest: list[str], *, whole: bool) -> None:
    """The file is named where the command is meant to be typed; services are those of the file."""
    if rest[:1] == ["-f"]:
        assert (ROOT / rest[1]).is_file()
        rest = rest[2:]
    else:
        assert not whole, "Compose finds its file in the folder docker only: name it."
    verb, *words = [word for word in rest if not word.startswith("-")]
    assert verb in COMPOSE
    if verb in OF_SERVICES:
        services = words if verb in ("stop", "restart") else words[:1]
        assert set(services) <= read().keys()
    if verb == "exec":
        check(rest[rest.index(words[0]) + 1 :], whole=whole)


def check_module(module: str, rest: list[str]) -> None:
    """Its options are looked up in its source: some read them before they start anything."""
    if module == "pytest":
        check_pytest(rest)
        return
    if module == "cardroom":
        module = COMMANDS[rest[0]]
    found = find_spec(module)
    assert found is not None, module
    folders = found.submodule_search_locations
    sources = [*Path(folders[0]).glob("*.py")] if folders else [Path(str(found.origin))]
    assert not folders or any(source.name == "__main__.py" for source in sources), module
    text = "".join(source.read_text(encoding="utf-8") for source in sources)
    for option in (word.partition("=")[0] for word in rest if word.startswith("--")):
        option = option.replace("--no-", "--")  # noqa: PLW2901
        assert f'"{option}"' in text, f"{module} {option}"


def check_pytest(rest: list[str]) -> None:
    """The file is there, and a word after ``-k`` is in the name of one of its tests."""
    file, *options = rest
    tests = re.findall(r"^def (test_\w+)", (ROOT / file).read_text("utf-8"), re.MULTILINE)
    word = options[1] if options[:1] == ["-k"] else "test"
    assert any(word in name for name in tests), rest


def check_manage(words: list[str], *, whole: bool) -> None:
    name, *given = words
    owner = get_commands()[name]
    command = load_command_class(owner, name) if isinstance(owner, str) else owner
    parser = command.create_parser("manage.py", name)
    if whole:
        parser.parse_args(given)  # raises CommandError
        return
    options = {option for action in parser._actions for option in action.option_strings}
    assert {word.partition("=")[0] for word in given if word.startswith("--")} <= options


def check_make(words: list[str]) -> None:
    targets = [word for word in words if not SETTING.match(word)]
    assert set(targets) <= TARGETS
    for name in (word.partition("=")[0] for word in words if SETTING.match(word)):
        assert re.search(rf"\$[({{]+(if \$\()?{name}\b|\b{name} \?=|\({name}\)", MAKEFILE), name


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_a_document_tells_to_type_can_be_typed(document):
    found, faults = list(commands(document)), []
    for words, whole in found:
        try:
            check(words, whole=whole)
        except (AssertionError, CommandError, KeyError, OSError, ValueError) as fault:
            faults.append(f"{' '.join(words)}: {fault!r}"[:300])
    assert faults == []
    assert len(found) >= FEWEST.get(document, 0)


@pytest.mark.parametrize(
    "line",
    [
        "docker compose exec web python manage.py migrate",
        "docker compose -f docker/compose.yml exec website python manage.py migrate",
        "docker compose -f docker/compose.yml exec web python manage.py create_admin",
        "docker compose -f docker/compose.yml exec web python manage.py archive --dais 0",
        "make tests",
        "celery -A config.celery call games.operations.tasks.audits",
        "python -m tests.chaos.siege --match 30",
        "python -m pytest tests/rules/pisti/test_play.py",
        "python -m pytest tests/rules/pisti/test_rules.py -k nothing_like_it",
    ],
)
def test_a_slip_is_found(line):
    with pytest.raises((AssertionError, CommandError, KeyError, FileNotFoundError)):
        check(words_of(line, {}), whole=True)


def test_what_breaks_a_service_starts_from_a_plain_shell():
    """Its tools know the service from outside, so that no settings are there: nor any model."""
    named = dict.fromkeys(re.findall(r"\$\(PY\) -m (tests\.chaos\S*)", MAKEFILE))
    modules = [f"{name}.__main__" if name == "tests.chaos" else name for name in named]
    plain = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *modules],
        cwd=ROOT, env=plain, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "tests.chaos.__main__" in modules
    assert (done.returncode, done.stderr) == (0, "")
