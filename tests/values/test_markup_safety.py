"""Markup from attackers: nothing but safe elements is left, in a time that grows with the length only."""

import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.effort import effort

from kalends.values.markup import BLOCKS, INLINE, plain, safe_html, text_of

ATTACKS = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<script>alert(1)",
    "<scr<script></script>ipt>alert(1)</script>",
    "<<script>script>alert(1)<</script>/script>",
    "<script><!--</script><img src=x onerror=alert(1)>-->",
    "<style>@import 'javascript:alert(1)'</style>",
    "<style><img src='</style><img src=x onerror=alert(1)//'>",
    "<img src=x onerror=alert(1)>",
    "<img/src=x/onerror=alert(1)>",
    "<img src='x'onerror='alert(1)'>",
    '<img """><script>alert(1)</script>">',
    '<img title="a>b<c" src=x onerror=alert(1)>',
    "<img src=x onerror=alert(1) ",
    "<p onmouseover=alert(1)>x",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href='java\tscript:alert(1)'>x</a>",
    "<a href='java&#10;script:alert(1)'>x</a>",
    "<a href='&#106;avascript&colon;alert(1)'>x</a>",
    "<a href='\x01 javascript:alert(1)'>x</a>",
    "<a href='vbscript:x'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<a href='data:text/html;base64,PHNjcmlwdD4='>x</a>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<math><mi xlink:href='javascript:alert(1)'>x</mi></math>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<textarea><img title='</textarea><img src=x onerror=alert(1)>'>",
    "<xmp><p title='</xmp><img src=x onerror=alert(1)>'>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data='javascript:alert(1)'></object><embed src=//evil.example>",
    "<template><script>alert(1)</script></template>",
    "<base href='https://evil.example/'><meta http-equiv=refresh content='0;javascript:alert(1)'>",
    "<form action='javascript:alert(1)'><button formaction='javascript:alert(1)'>x</button></form>",
    "<div style='background:url(javascript:alert(1))'>x</div>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<!--[if IE]><script>alert(1)</script><![endif]-->",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<?xml ?><img src=x onerror=alert(1)>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&amp;lt;img src=x onerror=alert(1)&amp;gt;",
    "<custom-element onclick=alert(1)>x</custom-element>",
]

ALLOWED = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "time": {"datetime"},
    "img": {"src", "alt", "width", "height"},
}


class Inspector(HTMLParser):
    """Fails on anything outside of the safe set; independent of the code under test."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in INLINE | BLOCKS
        for name, value in attrs:
            assert name in ALLOWED.get(tag, set())
            if name in ("href", "src"):
                assert value
                assert value.startswith(("http://", "https://", "mailto:", "tel:", "/"))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)


def inspect(html: str) -> None:
    inspector = Inspector()
    inspector.feed(html)
    inspector.close()


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_leave_nothing_but_safe_elements(attack: str) -> None:
    for text in (attack, f"<p>{attack}", f"<table>{attack}", f"<svg>{attack}", attack * 3):
        inspect(safe_html(text))
        assert safe_html(safe_html(text)) == safe_html(text)


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_leave_no_tag_in_plain_text(attack: str) -> None:
    class NoTags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            raise AssertionError(tag)

    for text in (plain(attack), plain(attack.replace("<", "&lt;")), plain(attack.replace("<", "&amp;#60;"))):
        NoTags().feed(text + ">")
        assert plain(text) == text


@pytest.mark.parametrize("element", ["script", "style", "SCRIPT"])
def test_scripts_and_styles_go_with_their_text(element: str) -> None:
    text = f"before <{element} type=x>gone</{element} >after"
    assert safe_html(text) == "<p>before after</p>"
    assert plain(text) == "before after"


TAGS = [*sorted(INLINE | BLOCKS), "script", "style", "svg", "math", "textarea", "title", "font", "caption"]
SIGNS = ["\n", "\n\n", " ", "\r", "<", ">", "&", "'", '"', "=", "/", "</", "<!", "<!--", "-->"]
ENTITIES = ["&lt;", "&nbsp;", "&#10;", "&#13;", "&#1;", "&amp;", "&amp;lt;"]
HALVES = ["<a href='", "<a href=/x>", "<img src=x onerror=y ", '<p title="', "<pre>\n"]
PIECES = st.one_of(
    st.sampled_from(TAGS).map(lambda name: f"<{name}>"),
    st.sampled_from(TAGS).map(lambda name: f"</{name}>"),
    st.sampled_from(SIGNS + ENTITIES + HALVES),
    st.text(max_size=3),
)
HTML_LIKE = st.lists(PIECES, max_size=25).map("".join)


@given(HTML_LIKE | st.text())
def test_safe_html_is_safe_and_stays_as_it_is(text: str) -> None:
    html = safe_html(text)
    inspect(html)
    assert safe_html(html) == html
    html.encode()


@given(HTML_LIKE | st.text())
def test_plain_text_is_one_line_and_stays_as_it_is(text: str) -> None:
    line = plain(text)
    assert plain(line) == line
    assert line == line.strip()
    assert len(line.splitlines()) <= 1
    line.encode()
    text_of(line)


@given(st.text(st.sampled_from("\n\n ") | st.characters(codec="ascii", exclude_characters="<>&")))
def test_text_without_markup_is_what_the_cleaner_makes_of_it(text: str) -> None:
    assert safe_html(text) == safe_html(f"{text}<!-- -->")


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"], exclude_characters="<>&")))
def test_ordinary_text_keeps_all_its_words(text: str) -> None:
    assert text_of(safe_html(text)).split() == text.split()


FLOODS = [
    "<",
    "<b>",
    "<div>",
    "<p><br>",
    "<b x='1'><p>",
    "</p>",
    "<a><p>",
    "<table>",
    "<table><p>",
    "<li>",
    "<td>",
]
HALF_FLOODS = [
    "<a ",
    "<a '",
    '<a x="',
    "<a x=1",
    "<!--",
    "<!",
    "<script>",
    "</script",
    "&amp;",
    "&",
    "x\n\n",
    "\n",
    " ",
]


LENGTH, SECONDS = effort((100_000, 2), (200_000, 4))


@pytest.mark.parametrize(
    "text",
    [(unit * LENGTH)[:LENGTH] for unit in FLOODS + HALF_FLOODS]
    + ["&" + "amp;" * (LENGTH // 4), "<" * (LENGTH // 3) + "b>" * (LENGTH // 3)],
    ids=lambda text: text[:12],
)
def test_time_grows_with_length_only(text: str) -> None:
    started = time.process_time()
    text_of(safe_html(text))
    plain(text)
    assert time.process_time() - started < SECONDS


def test_depth_is_bounded() -> None:
    assert safe_html("<div>" * 1000 + "x").count("<div>") < 100
