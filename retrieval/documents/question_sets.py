"""Files of a data set that hold questions and judgements, not documents: BEIR keeps them in the folder of its corpus.

Source: https://github.com/beir-cellar/beir, `beir/datasets/data_loader.py`.
"""

from pathlib import Path

_CORPUS, _QUERIES, _QRELS = "corpus.jsonl", "queries.jsonl", "qrels"


def is_of_questions(file: Path) -> bool:
    """Say whether a file is the queries or a judgement of a folder in BEIR's layout.

    Indexed, each question of the set would find itself.
    """
    if file.name == _QUERIES:
        folder = file.parent
    elif file.parent.name == _QRELS:
        folder = file.parent.parent
    else:
        return False
    return (folder / _CORPUS).is_file() and (folder / _QUERIES).is_file() and (folder / _QRELS).is_dir()
