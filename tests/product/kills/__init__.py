"""Kills of real processes under load (contract §14 and §17).

    python -m tests.product.kills --kills 200 --store sqlite

Workers, masters and the receiver of a webhook are killed again and again while clients write. `make test` does a
handful of kills, `make test-all` as many as the issue of the contract asks for, on both stores.
"""
