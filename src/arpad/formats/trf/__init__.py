"""FIDE's tournament report files: tolerant in, strict and exact out."""

from arpad.formats.trf.reader import is_trf, read_trf

__all__ = ["is_trf", "read_trf"]
