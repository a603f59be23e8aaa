"""The admin: screens for people who run the calendar, at `/admin`.

How to add a screen:

1. A view in `pages/admin/` and a template in `pages/templates/admin/` that extends `admin/layout.html`. Forms use the
   macros of `admin/forms.html`, lists those of `admin/lists.html`. Every sentence is `_("…")`.
2. A handler here, one file a screen: a subclass of `Screen` (reads) or `FormScreen` (reads and changes).

        class Tags(FormScreen):
            entry = "tags"                       # the entry of the navigation that is current
            title = N_("Tags")
            right = staticmethod(may_edit_all(TAG))  # of `calendar/access.py`; refused by request, not only hidden

            def show(self, visit: Visit) -> None:
                visit.render("admin/tags.html", tags=…)

            def act(self, visit: Visit, form: Form) -> None:
                operation = partial(visit.calendar.create_term, visit.caller, TAG)
                if form.submit(TAG.fields, operation, create=True) is None:
                    visit.render("admin/tags.html", status=400, form=form, tags=…)
                else:
                    visit.go("/admin/tags", N_("The tag was added."))

   `show` and `act` also get the parameters of the route. An `ApiError` that is not caught becomes a page.
3. A row in `routes.py`. The navigation shows an entry as soon as its address has a screen and the person the right.

`FormScreen` has checked the session, the right, and the token that every form carries (`{{ forms.token(frame) }}`,
which the macro `forms.start` writes). A screen adds no rules of its own: it hands fields to the operations of
`calendar/`, and `Form.submit` shows beside each field what they refuse. After a change, `visit.go` leads to the next
page (303) with a message and, where it can be undone, an `Undo`. Lists that need queries of their own get them in
`store/query/` and `calendar/`, with a `Visibility` as everywhere.

Scripts are small ES modules in `pages/static/admin_*.js`; a page names its own in the block `scripts`. They send
changes to the interface with the header `X-Kalends-Token` (`admin_request.js`). No style attributes and no inline
scripts: the security policy refuses them.
"""
