"""The addresses of WordPress around the interface, as tables: see model.py."""

from kalends.contract.interfaces import Interface
from kalends.contract.representations import ERROR, ERROR_DATA, PROBLEM_DETAIL
from kalends.languages import N_
from kalends.wordpress.errors import error_names
from kalends.wordpress.model import Namespace
from kalends.wordpress.tec_operations import TEC
from kalends.wordpress.wp_operations import WP

NAMESPACES: tuple[Namespace, ...] = (WP, TEC)

COMPAT = Interface(
    "wp-json",
    N_("Addresses of WordPress"),
    N_(
        "What clients of WordPress expect around the API: the same records, with the same rights, under the addresses"
        " and in the forms of WordPress."
    ),
    tuple(address for namespace in NAMESPACES for address in namespace.addresses),
    (*(shape for namespace in NAMESPACES for shape in namespace.representations), ERROR, ERROR_DATA, PROBLEM_DETAIL),
    error_names=error_names(),
)
