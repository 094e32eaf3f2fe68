"""The console script: quick help, one-line errors, exit codes."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from config.settings import variable_names
from scripts.cli import COMMANDS, main
from tests.conftest import MODELS
from tests.scenarios.data_folders import make_data_folder

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_exists_and_is_in_the_readme(command: str) -> None:
    """A mounted command has its module, and the README shows how to use it."""
    module = import_module(COMMANDS[command][0])
    assert callable(module.add_arguments)
    assert callable(module.run)
    assert f"triage {command}" in README


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` of each command prints and ends with 0."""
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert command in capsys.readouterr().out


def test_help_imports_nothing_heavy() -> None:
    """The list of commands is printed without numpy, pydantic or any vendor being imported."""
    probe = (
        "import sys; from scripts.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pydantic', 'torch', 'openvino', 'redis', 'slack_bolt', 'anthropic', 'fastapi'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
    for command in COMMANDS:
        assert command in done.stdout


def test_an_unknown_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt command gives a usage error with code 2."""
    with pytest.raises(SystemExit) as ended:
        main(["aks"])
    assert ended.value.code == 2
    assert "aks" in capsys.readouterr().err


def test_errors_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing index is one clear line on stderr and code 2, never a traceback."""
    assert main(["search", "x", "--index", str(tmp_path / "none")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("triage: ")
    assert error.count("\n") == 1


def test_a_wrong_setting_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt setting stops every command."""
    monkeypatch.setenv("TRIAGE_MODLE", "x")
    assert main(["search", "x"]) == 2
    assert "TRIAGE_MODEL" in capsys.readouterr().err


def test_an_embedded_redis_that_cannot_start_costs_only_the_history(
    sample_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """When the data folder has no room for the server, `ask --thread` says so in one line and answers all the same."""
    (tmp_path / "redis").write_text("in the way", encoding="utf-8")
    for name in variable_names():
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(tmp_path))
    (tmp_path / "models").symlink_to(MODELS / "models")
    question = "How do I reset a forgotten console password?"
    assert main(["ask", question, "--thread", "t1", "--index", str(sample_index)]) == 0
    out, error = capsys.readouterr()
    assert "kb-101" in out
    assert error.startswith("triage: the embedded Redis cannot use ")
    assert error.count("\n") == 1


def test_the_version_names_the_build(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints what `provenance.build` of an answer says."""
    from bot.bootstrap import build_id

    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"triage {build_id()}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "triage: the following arguments are required: COMMAND; see triage --help\n"),
        (["conflicts"], "triage: the following arguments are required: --pairs; see triage conflicts --help\n"),
        (["feedback", "report", "--x\ny"], "triage: unrecognized arguments: --x y; see triage --help\n"),
    ],
)
def test_a_wrong_argument_is_one_line(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence and where help stands, code 2; no usage of many lines."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err == told


def test_an_error_of_the_system_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No error number: the file and the reason."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(make_data_folder(tmp_path / "data", is_warm=True)))
    (tmp_path / "kb.md").write_text("# Refunds\n\nWithin 14 days.", encoding="utf-8")
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    out = tmp_path / "file" / "index"
    assert main(["index", str(tmp_path / "kb.md"), "--out", str(out)]) == 2
    assert "[Errno" not in capsys.readouterr().err
