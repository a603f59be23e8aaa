"""Every operation of the interface: the methods of an address, their parameters and their responses."""

from kalends.contract.kinds import EVENT, KINDS
from kalends.contract.operations.image_addresses import MEDIA, MEDIA_ITEM
from kalends.contract.operations.index_addresses import DOC, INDEX
from kalends.contract.operations.model import Address
from kalends.contract.operations.record_addresses import FEED, collection, item, item_by_external, item_by_slug
from kalends.contract.operations.user_addresses import ME, TOKEN, TOKENS, USER, USERS
from kalends.feature import declared


def addresses() -> list[Address]:
    """Every address below the namespace, in the order of the index."""
    in_order = [INDEX, DOC]
    for kind in KINDS:
        in_order += [collection(kind), item(kind)]
        if not kind.is_term:
            in_order.append(item_by_slug(kind))
        in_order.append(item_by_external(kind))
        if kind is EVENT:
            in_order.append(FEED)
    in_order += [MEDIA, MEDIA_ITEM, USERS, ME, USER, TOKENS, TOKEN]
    return in_order + [address for added in declared("addresses") for address in added]
