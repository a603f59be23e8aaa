"""The screens of imports."""

from kalends.admin.navigation import SITE, NavigationEntry
from kalends.admin.screen import Screen
from kalends.calendar import access
from kalends.features.importing.admin import import_job, import_list, import_undo, mending
from kalends.languages import N_

IMPORT = NavigationEntry("import", N_("Import and export"), "/admin/import", access.may_manage_users)
NAVIGATION = {SITE: (IMPORT,)}
SCREENS: dict[str, Screen] = {
    "/admin/import": Screen(
        IMPORT,
        import_list.show_imports,
        import_list.add,
        largest=import_list.largest_file,
        receive=import_list.receive,
    ),
    "/admin/import/template": Screen(IMPORT, import_job.show_template),
    # It may have the password of another site.
    "/admin/import/{id:digits}": Screen(
        IMPORT, import_job.show_import, import_job.act, N_("Import"), keeps_form=False
    ),
    "/admin/import/{id:digits}/report": Screen(IMPORT, import_job.show_report),
    "/admin/import/{id:digits}/rows": Screen(IMPORT, mending.show_rows),
    "/admin/import/undo/{id:digits}": Screen(IMPORT, import_undo.show_undo, import_undo.act, N_("Undo this import")),
}
