"""What people call what the security log has."""

from kalends.languages import N_

WHAT = {
    "signed_in": N_("Signed in"),
    "refused": N_("Refused"),
    "sessions_ended": N_("Sessions ended"),
    "password_changed": N_("New password"),
    "role_changed": N_("Another role"),
    "person_added": N_("New person"),
    "person_removed": N_("Person removed"),
    "disabled": N_("Account disabled"),
    "enabled": N_("Account enabled"),
    "link_made": N_("Invitation or link for a password"),
    "token_made": N_("New access for a program"),
    "token_revoked": N_("Access of a program revoked"),
    "settings_changed": N_("Settings changed"),
    "factor_added": N_("New second factor"),
    "factor_removed": N_("Second factor removed"),
    "factors_reset": N_("Second factors taken away"),
    "codes_made": N_("New recovery codes"),
    "recovery_used": N_("Recovery code used"),
    "identity_linked": N_("Account of the provider linked"),
    "identity_unlinked": N_("Account of the provider unlinked"),
    "role_kept": N_("The only administrator stays one"),
}
MARKS = {"signed_in": "good", "refused": "bad"}
ABOUT = {"totp": N_("Authenticator app")}
