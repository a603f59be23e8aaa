"""The settings of features: their defaults."""

from pathlib import Path

import pytest

from kalends.feature import features
from kalends.settings import load

DEFAULTS: dict[str, dict[str, object]] = {
    "geocoding": {"geocoder": ""},
    "mail": {"mail_server": None, "mail_from": "", "mail_reply_to": ""},
    "signing_in": {
        **{"second_factor": "none", "oidc_issuer": "", "oidc_client_id": "", "oidc_client_secret": ""},
        **{"oidc_name": "", "oidc_roles": "", "oidc_default_role": "none", "oidc_only": False, "local_admins": ""},
    },
    "webhooks": {"webhooks_allow_private": False},
}


@pytest.mark.parametrize("name", [feature.name for feature in features() if feature.settings])
def test_the_defaults(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load(None, {}, {})
    assert {key: getattr(settings, key) for key in DEFAULTS[name]} == DEFAULTS[name]
