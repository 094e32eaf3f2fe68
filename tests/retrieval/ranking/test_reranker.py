"""The cross-encoder path is real: a tiny model built here is loaded and orders passages."""

import os
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import ModelMissing
from retrieval.ranking import load_reranker, reranked


@pytest.fixture(scope="module")
def tiny_cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sequence classifier of two layers with random weights and a word tokenizer."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    from safetensors.torch import save_file
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification

    folder = tmp_path_factory.mktemp("models") / "tiny-cross"
    folder.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "reset", "password", "refund", "invoice", "how", "settings"]
    tokenizer = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(
        '{"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]", "model_max_length": 64}', encoding="utf-8"
    )
    torch.manual_seed(11)
    config = BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64, num_labels=1,
    )  # fmt: skip
    config.architectures = ["BertForSequenceClassification"]
    config.save_pretrained(folder)
    state = BertForSequenceClassification(config).state_dict()
    save_file({k: v.contiguous() for k, v in state.items()}, folder / "model.safetensors", {"format": "pt"})
    return folder


def test_scores_are_the_models_own(tiny_cross_encoder: Path) -> None:
    """One float32 score a passage, the same alone and in a batch; long texts and none are taken."""
    reranker = load_reranker(str(tiny_cross_encoder))
    passages = ["reset password settings", "refund invoice", "password " * 3000]
    scores = reranker.scores("how reset password", passages)
    assert scores.dtype == np.float32
    assert scores.shape == (3,)
    alone = reranker.scores("how reset password", passages[1:2])
    np.testing.assert_allclose(alone, scores[1:2], atol=1e-4)
    assert len(set(scores.tolist())) == 3
    assert reranker.scores("x", []).shape == (0,)
    assert reranker.identity == "tiny-cross"


def test_order_follows_the_scores() -> None:
    """Largest first, equal ones as they came."""
    assert reranked([7, 3, 9, 4], np.array([0.1, 0.9, 0.1, 0.5], np.float32)) == [3, 4, 7, 9]


def test_missing_model_is_named(tmp_path: Path) -> None:
    """A folder that is not there, and one without a model, are named."""
    with pytest.raises(ModelMissing, match="no folder /nowhere"):
        load_reranker("/nowhere/reranker")
    with pytest.raises(ModelMissing, match="cannot be loaded"):
        load_reranker(str(tmp_path))
