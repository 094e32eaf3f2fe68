"""A real cross-encoder in a folder, of weights that are set and not trained: words in common win.

A BERT of two layers with one head. In the first, every token of the question looks for the same word in the passage; in
the second, [CLS] averages what they found. The score rises with the share of the question's words that the passage has.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_SHARP = 12.0


def build_overlap_model(folder: Path, words: Sequence[str]) -> Path:
    """Write the model and its tokenizer; words beside the given ones are unknown to it."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from safetensors.torch import save_file
    from transformers import BertConfig, BertForSequenceClassification

    vocabulary = [*SPECIAL, *dict.fromkeys(word.lower() for word in words)]
    folder.mkdir(parents=True)
    _save_tokenizer(folder, vocabulary)
    size = len(vocabulary) + 3  # a dimension a word, two for the segments, one for "found"
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=size, num_hidden_layers=2, num_attention_heads=1, intermediate_size=4,
        max_position_embeddings=256, num_labels=1,
    )  # fmt: skip
    config.architectures = ["BertForSequenceClassification"]
    config.save_pretrained(folder)
    model = BertForSequenceClassification(config)
    _set_weights(model, size)
    save_file(
        {k: v.contiguous() for k, v in model.state_dict().items()}, folder / "model.safetensors", {"format": "pt"}
    )
    return folder


def _save_tokenizer(folder: Path, vocabulary: Sequence[str]) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(
        '{"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]", "model_max_length": 256}',
        encoding="utf-8",
    )


def _set_weights(model: Any, size: int) -> None:
    """Everything is zero but what the two looks need; biases of the norms stay zero, their weights one."""
    import torch

    question, passage, found = size - 3, size - 2, size - 1
    # After the first norm a token has about `level` in the dimension of its word and of its segment, about 0 elsewhere.
    level = (size / 2) ** 0.5
    with torch.no_grad():
        for name, value in model.named_parameters():
            value.fill_(1.0 if "LayerNorm.weight" in name else 0.0)
        embeddings = model.bert.embeddings
        for word in range(size - 3):
            embeddings.word_embeddings.weight[word, word] = 1.0
        embeddings.token_type_embeddings.weight[0, question] = 1.0
        embeddings.token_type_embeddings.weight[1, passage] = 1.0
        _look_for_the_word(model.bert.encoder.layer[0].attention, size, level)
        _average(model.bert.encoder.layer[1].attention, question, found)
        model.bert.pooler.dense.weight[0, found] = 1.0
        model.classifier.weight[0, 0] = 4.0


def _look_for_the_word(attention: Any, size: int, level: float) -> None:
    """The same word in the passage scores 2, another one 1, a separator 1.5, the question's own words at most 0."""
    question, passage, found = size - 3, size - 2, size - 1
    unknown, separator = 1, 3
    unit = _SHARP * size**0.5
    query, key = attention.self.query, attention.self.key
    for word in range(size - 3):
        if word not in (unknown, separator):
            query.weight[word, word] = unit / level
            key.weight[word, word] = 1.0 / level
    query.bias[question] = unit
    key.weight[question, passage], key.weight[question, question] = 1.0 / level, -1.0 / level
    query.bias[separator] = unit
    key.weight[separator, separator] = 0.5 / level
    # Of the two separators the second stands in the segment of the passage: 1 + 0.5.
    attention.self.value.weight[found, passage] = 1.0 / level
    attention.self.value.weight[found, separator] = -1.0 / level
    attention.output.dense.weight[found, found] = 4.0


def _average(attention: Any, question: int, found: int) -> None:
    attention.self.query.bias[0] = 40.0
    attention.self.key.weight[0, question] = 1.0
    attention.self.value.weight[found, found] = 1.0
    attention.output.dense.weight[found, found] = 1.0


def words_of(*texts: str) -> list[str]:
    """Give the words of texts as the tokenizer cuts them."""
    from tokenizers import pre_tokenizers

    cut = pre_tokenizers.Whitespace()
    return [word.lower() for text in texts for word, _ in cut.pre_tokenize_str(text)]


def share_of_words(query: str, passage: str) -> float:
    """Give the share of the question's words that a passage has: the order that the model must give."""
    wanted, given = words_of(query), set(words_of(passage))
    return float(np.mean([word in given for word in wanted]))
