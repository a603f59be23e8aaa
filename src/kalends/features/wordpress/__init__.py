"""Everything for clients of WordPress: tables, JSON and handlers of `wp/v2` and `tec/v1`, rewritten addresses."""

from kalends.feature import Feature

WORDPRESS = Feature(
    name="wordpress",
    extension="routes:WORDPRESS",
    around_writes="records.recurrences:with_known_recurrence",
    hooks={"page_blocks": "pages.view_data:blocks"},
)
