"""The settings of signing in: the provider, which the server names, and what people of the site decide."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from kalends.languages import N_
from kalends.settings import value_types
from kalends.settings.rows import setting
from kalends.settings.value_types import ValueType

SECURITY = "security"  # the section of the settings screen


def _issuer(written: str) -> str:
    """Without TLS only on this machine itself."""
    parts = urlsplit(written)
    is_near = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
    if written and (not (parts.scheme == "https" or is_near) or parts.query or parts.fragment or "@" in parts.netloc):
        raise ValueError
    if written and (not parts.hostname or not written.isascii() or not written.isprintable() or " " in written):
        raise ValueError
    return written


ISSUER = ValueType("nothing, or an https address; http on this machine alone", _issuer)
_PAIR = r"[^=,:]{1,200}=\s*(?:subscriber|contributor|author|editor|administrator)\s*"
ROLES = value_types.matching(
    rf"(?:[\w.:/-]{{1,200}}:{_PAIR}(?:,{_PAIR}){{0,100}})?",
    "nothing, or a claim and its values with roles, such as groups: calendar=editor, it=administrator",
    N_("Write a claim and its values with roles, such as groups: calendar=editor, it=administrator."),
)


@dataclass(frozen=True, kw_only=True)
class SigningInSettings:
    """`oidc_…`: the provider of OpenID Connect."""

    oidc_issuer: str = setting(
        "",
        ISSUER,
        "The issuer of OpenID Connect at which people sign in; empty is none. It may be inside of your network.",
    )
    oidc_client_id: str = setting(
        "", value_types.text(0, 200), "What the calendar is called at the issuer: its client id."
    )
    oidc_client_secret: str = setting(
        "", value_types.text(0, 500), "The secret of that client; empty is a public one.", secret=True
    )
    second_factor: str = setting(
        "none",
        value_types.choice(
            {
                "none": N_("Nobody"),
                "administrator": N_("Administrators"),
                "editor": N_("Editors and administrators"),
                "author": N_("Authors, editors and administrators"),
                "subscriber": N_("Everybody who has an account"),
            },
            N_("Choose one of them."),
        ),
        "The role from which on people need a second factor to sign in: none, or administrator and the like.",
        section=SECURITY,
        label=N_("Who needs a second factor"),
        help=N_("They set one up when they sign in next. Everybody else may."),
    )

    oidc_name: str = setting(
        "",
        value_types.text(0, 100, N_("Write one line of at most 100 characters.")),
        "What people call the provider of `oidc_issuer`, on the button that leads there.",
        section=SECURITY,
        label=N_("Name of the provider"),
        help=N_("On the button that leads there, such as University account."),
    )
    oidc_roles: str = setting(
        "",
        ROLES,
        "Which values of a claim give which role, at each sign-in; the highest counts. Empty: roles are given here.",
        section=SECURITY,
        label=N_("Roles from the provider"),
        help=N_("A claim and its values, such as groups: calendar=editor, it=administrator. Empty: given here."),
    )
    oidc_default_role: str = setting(
        "none",
        value_types.choice(
            {
                "none": N_("None: they are refused"),
                "subscriber": N_("Subscriber"),
                "contributor": N_("Contributor"),
                "author": N_("Author"),
                "editor": N_("Editor"),
            },
            N_("Choose one of them."),
        ),
        "The role of new people of the provider, and of those without another one; none refuses them.",
        section=SECURITY,
        label=N_("Role of new people"),
    )
    oidc_only: bool = setting(
        "false",
        value_types.YES_OR_NO,
        "Whether people sign in at the provider alone; passwords are taken of `local_admins` only.",
        section=SECURITY,
        label=N_("Only the provider"),
        help=N_("No password is taken any more, but of the exceptions."),
    )
    local_admins: str = setting(
        "",
        value_types.text(0, 500, N_("Write one line of at most 500 characters.")),
        "The names of accounts, with commas between, whose passwords are taken with `oidc_only` too.",
        section=SECURITY,
        label=N_("Exceptions"),
        help=N_("Names with commas between, for the day on which the provider is away."),
    )
