"""Names the code that runs."""

from pathlib import Path

_GIT = Path(__file__).parents[2] / ".git"


def build_id() -> str:
    """Name the code that answers: the version, and the commit where it is a checkout."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("support-triage-bot")
    except PackageNotFoundError:
        number = "0"
    commit = _commit(_GIT)
    return f"{number}+{commit[:12]}" if commit else number


def _commit(git: Path) -> str:
    try:
        head = (git / "HEAD").read_text(encoding="ascii").strip()
        return head if not head.startswith("ref: ") else (git / head[5:]).read_text(encoding="ascii").strip()
    except OSError:  # no checkout, or packed references
        return ""
