"""History: earlier versions of records, as the writer has kept them, and the way back to one."""

from kalends.feature import Feature

HISTORY = Feature(
    name="history",
    screens="admin:SCREENS",
    navigation="site_history:NAVIGATION",
    service_hooks="service_hooks:SERVICE_HOOKS",
)
