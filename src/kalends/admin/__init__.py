"""The admin: screens for people who run the calendar, at `/admin`.

How to add a screen:

1. One module here, with its template beside it: a view object, a dataclass that names its `template`, which extends
   `admin/layout.html` and reads the object as `page`, and functions. Forms use the macros of `admin/forms.html`,
   lists those of `admin/lists.html`. Every sentence is `_("…")`. A large screen is a folder.
2. `show(request)` answers with the page, `act(request, form)` takes its form. Both also get the parameters of the
   route. An `act` that leaves errors in the form has its page shown again, with them and with what was typed
   (`request.form`). An `ApiError` that is not caught becomes a page.

        def show(request: AdminRequest) -> None:
            request.answer(WordsPage(request.read(words.all)))

        def add(request: AdminRequest, form: Form) -> None:
            with form.refusals():
                request.write(words.add, form.text("word"))
                request.go("/admin/words", N_("The word was added."))

3. A row in `routes.py`: `"/admin/words": Screen(WORDS, show, add)`. The entry of the navigation (`navigation.py`) has
   the right, which is refused by request and not only hidden, and the title. A feature declares its screens itself,
   and the entries that follow those of a group.

A list that can be searched takes `request.narrowed` and `request.pages`, and shows them by `lists.narrow` and
`lists.pages`. A form that changes something stored has an `Edited` (`conflicts.py`), shown by `forms.feedback`. The
forms of records come from the table of their fields (`records/record_form.py`); what can be done with several events
is a row of `ACTIONS` (`event_changes.py`).

Before `act`, `screen.py` has checked the session, the right, and the token that every form carries
(`{{ forms.token(frame) }}`, which the macro `forms.start` writes). A screen adds no rules of its own and opens no
transaction: it calls the operations of `calendar/`, and `Form.submit` shows beside each field what they refuse. After
a change, `request.go` leads to the next page (303) with a message and, where it can be undone, an `UndoForm`.

Scripts are small ES modules in `site/static/admin_*.js`; a page names its own in the block `scripts`. They send
changes to the interface with the header `X-Kalends-Token` (`admin_request.js`). No style attributes and no inline
scripts: the security policy refuses them.
"""
