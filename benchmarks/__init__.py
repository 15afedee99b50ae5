"""Benchmarks: ratios measured in one run, for machines are noisy. ``python -m benchmarks`` runs them all."""
