"""Lexical retrieval: tokens, postings, BM25 and its plain neighbours."""

from retrieval.lexical.bm25 import Formula, PostingsBM25, positive_idf
from retrieval.lexical.match import LexicalMatch, codes_in, match_words, word_weights
from retrieval.lexical.merging import merge_postings
from retrieval.lexical.overlap import keyword_scores, tfidf_norms, tfidf_scores
from retrieval.lexical.postings import Postings, build_postings
from retrieval.lexical.selection import best, nearest
from retrieval.lexical.tokens import TOKENIZER_VERSION, group_words, tokenize

__all__ = [
    "TOKENIZER_VERSION",
    "Formula",
    "LexicalMatch",
    "Postings",
    "PostingsBM25",
    "best",
    "build_postings",
    "codes_in",
    "group_words",
    "keyword_scores",
    "match_words",
    "merge_postings",
    "nearest",
    "positive_idf",
    "tfidf_norms",
    "tfidf_scores",
    "tokenize",
    "word_weights",
]
