"""Writes the vectors of the bundled banks anew (`python -m scripts.write_bank_vectors`), after the banks or the bundled model changed."""


def main() -> None:
    """Write them with the bundled model."""
    from bot.bootstrap import build_encoder
    from config.settings import load_settings
    from retrieval.ranking.bank_vectors import write_bank_vectors

    write_bank_vectors(build_encoder(load_settings().retrieval, ""))


if __name__ == "__main__":
    main()
