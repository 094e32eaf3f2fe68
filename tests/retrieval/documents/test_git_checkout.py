"""Claims of `retrieval.documents.git_checkout`: what git ignores is left out, and it tells owner and dates."""

import subprocess
from pathlib import Path

import pytest

from retrieval.documents import Loaded, load_documents
from retrieval.documents import git_checkout as under_test


def git(folder: Path, *arguments: str, date: str = "2024-01-02T03:04:05Z") -> None:
    """Run git with an author of our own and nobody's configuration."""
    names = {"GIT_AUTHOR_NAME": "Ann Lee", "GIT_AUTHOR_EMAIL": "a@b.example", "GIT_AUTHOR_DATE": date}
    names |= {"GIT_COMMITTER_NAME": "Bo", "GIT_COMMITTER_EMAIL": "b@b.example", "GIT_COMMITTER_DATE": date}
    environment = {**names, "PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env=environment)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Give a checkout with two articles, one changed later, and a file that git ignores."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/refunds.md").write_text("# Refunds\n\nWithin 14 days.")
    (tmp_path / "docs/ü plan.md").write_text("---\nowner: Billing team\nupdated_at: 2020-05-05\n---\nPlans.")
    (tmp_path / ".gitignore").write_text("draft*\nbuild/\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "one")
    (tmp_path / "docs/refunds.md").write_text("# Refunds\n\nWithin 30 days.")
    git(tmp_path, "commit", "-qam", "two", date="2025-06-07T08:09:10Z")
    (tmp_path / "docs/draft-1.md").write_text("Not ready.")
    (tmp_path / "docs/new.md").write_text("Not committed yet.")
    return tmp_path


def load(path: Path) -> Loaded:
    """Load with git's help."""
    return load_documents([path], uses_git=True)


def test_git_tells_owner_and_dates_that_the_file_does_not(checkout: Path) -> None:
    """Author of the last change, first and last date; front matter wins; a file that git does not know has none."""
    found = {d.id: d for d in load(checkout / "docs").documents}
    refunds = found["refunds"]
    assert (refunds.owner, refunds.created_at[:10], refunds.updated_at[:10]) == ("Ann Lee", "2024-01-02", "2025-06-07")
    assert (found["ü plan"].owner, found["ü plan"].updated_at) == ("Billing team", "2020-05-05")
    assert (found["new"].owner, found["new"].updated_at) == ("", "")


def test_what_git_ignores_is_left_out_and_said(checkout: Path) -> None:
    """It is a note, not a problem; the whole checkout reads no `.git`."""
    loaded = load(checkout)
    assert sorted(d.id for d in loaded.documents) == ["docs/new", "docs/refunds", "docs/ü plan"]
    assert not loaded.is_partial
    assert "holds a file that git ignores" in str(loaded.notes[0])


def test_a_folder_that_git_ignores_is_read_when_it_is_named(checkout: Path) -> None:
    """An export in an ignored folder was meant."""
    (checkout / "build").mkdir()
    (checkout / "build/export.md").write_text("Exported.")
    assert [d.id for d in load(checkout / "build").documents] == ["export"]


def test_outside_of_a_checkout_nothing_is_asked_for(tmp_path: Path) -> None:
    """A plain folder has no owners, and git is not used unless it is asked for."""
    (tmp_path / "a.md").write_text("Text.")
    loaded = load(tmp_path)
    assert (loaded.documents[0].owner, loaded.notes) == ("", ())


def test_a_shallow_clone_tells_no_dates(checkout: Path, tmp_path: Path) -> None:
    """Its oldest commit seems to have written everything on one day."""
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{checkout}", "shallow")
    loaded = load(tmp_path / "shallow")
    assert {d.owner for d in loaded.documents} == {"", "Billing team"}
    assert "shallow clone" in str(loaded.notes[0])


def test_nothing_of_the_repository_is_run(checkout: Path) -> None:
    """A program that the repository's configuration names is not started."""
    trap = checkout / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {checkout}/sprung\n")
    trap.chmod(0o755)
    git(checkout, "config", "core.fsmonitor", str(trap))
    git(checkout, "config", "core.pager", str(trap))
    assert load(checkout / "docs").documents
    assert not (checkout / "sprung").exists()


def test_records_keep_their_own_dates(checkout: Path) -> None:
    """The day on which a table was committed is not the day of its rows."""
    (checkout / "docs/table.csv").write_text("id,text\nt-1,Hello there\n")
    git(checkout, "add", "-A")
    git(checkout, "commit", "-qm", "three")
    found = {d.id: d for d in load(checkout / "docs").documents}
    assert found["t-1"].updated_at == ""


def test_a_log_is_read_newest_first(tmp_path: Path) -> None:
    """Names with line ends at their front, as git writes them after each head, are cleaned."""
    log = "\x1e2025-01-01\x1fBo\0\na.md\0b.md\0\x1e2024-01-01\x1fAnn\0\na.md\0"
    history = under_test._read_log(tmp_path, log)
    assert history[tmp_path / "a.md"] == under_test.FileHistory("Bo", "2024-01-01", "2025-01-01")
    assert history[tmp_path / "b.md"] == under_test.FileHistory("Bo", "2025-01-01", "2025-01-01")
