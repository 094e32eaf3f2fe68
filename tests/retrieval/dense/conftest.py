"""A real, tiny SentenceTransformer folder: two layers, random weights, a word tokenizer."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the folder once; `HF_HUB_OFFLINE` holds for everything that loads it."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    from safetensors.torch import save_file
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("models") / "tiny-bert"
    (folder / "1_Pooling").mkdir(parents=True)
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        *["how", "do", "i", "reset", "my", "password", "invoice", "was", "charged", "twice", "a"],
    ]
    tokenizer = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64,
    )  # fmt: skip
    config.architectures = ["BertModel"]
    config.save_pretrained(folder)
    model = BertModel(config, add_pooling_layer=False)
    save_file(
        {k: v.contiguous() for k, v in model.state_dict().items()}, folder / "model.safetensors", {"format": "pt"}
    )
    files = {
        "tokenizer_config.json": '{"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]", "model_max_length": 64}',
        "modules.json": '[{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},'
        '{"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]',
        "sentence_bert_config.json": '{"max_seq_length": 64, "do_lower_case": false}',
        "config_sentence_transformers.json": '{"prompts": {"query": "how ", "passage": ""}}',
        "1_Pooling/config.json": '{"word_embedding_dimension": 16, "pooling_mode_mean_tokens": true}',
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
