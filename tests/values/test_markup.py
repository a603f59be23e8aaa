"""Safe HTML and plain text: what stays, what goes, and attacks."""

import pytest

from kalends.values.markup import BLOCKS, INLINE, plain, safe_html, text_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A <em>big</em> hall.\n\nSecond paragraph.",
            "<p>A <em>big</em> hall.</p>\n<p>Second paragraph.</p>",
        ),
        ("Loud <strong>concert</strong> with trumpet.", "<p>Loud <strong>concert</strong> with trumpet.</p>"),
        ("Desc", "<p>Desc</p>"),
        ("one\ntwo\r\nthree", "<p>one<br>\ntwo<br>\nthree</p>"),
        ("one<br />\ntwo", "<p>one<br>\ntwo</p>"),
        ("one\n \t\n\n\ntwo\n", "<p>one</p>\n<p>two</p>"),
        ("a < b & c > d", "<p>a &lt; b &amp; c &gt; d</p>"),
        ("I <love you", "<p>I &lt;love you</p>"),
        ("Tom &amp; Jerry &eacute;", "<p>Tom &amp; Jerry é</p>"),
        ("日本語\n\nعربي", "<p>日本語</p>\n<p>عربي</p>"),
    ],
)
def test_plain_text_becomes_paragraphs(text: str, expected: str) -> None:
    assert safe_html(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>a</p><p>b</p>", "<p>a</p>\n<p>b</p>"),
        (
            "<h2>T</h2>\nloose <b>text</b>\n<ul><li>x</li></ul>",
            "<h2>T</h2>\n<p>loose <b>text</b></p>\n<ul><li>x</li></ul>",
        ),
        ("<div>a\n\nb</div>", "<div>a\n\nb</div>"),
        ("<pre>\n\n a\n\n b</pre>", "<pre> a\n\n b</pre>"),
        ("one<hr>two", "<p>one</p>\n<hr>\n<p>two</p>"),
        ('<a href="https://x.org"><h3>T</h3></a>', '<a href="https://x.org"><h3>T</h3></a>'),
        ("<details><summary>S</summary>T</details>", "<details><summary>S</summary>T</details>"),
        ("<table><tr><td>1</td></tr></table>", "<table><tbody><tr><td>1</td></tr></tbody></table>"),
        (
            "<table><thead><tr><th>1</th></tr></thead></table>",
            "<table><thead><tr><th>1</th></tr></thead></table>",
        ),
    ],
)
def test_blocks_stay_and_what_is_loose_between_them_is_wrapped(text: str, expected: str) -> None:
    assert safe_html(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>a<p>b", "<p>a</p>\n<p>b</p>"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
        ("<b>a<i>b</b>c</i>", "<p><b>a<i>b</i></b>c</p>"),
        ("<p>a<div>b</div>c</p>", "<p>a</p>\n<div>b</div>\n<p>c</p>"),
        ("a</p></div></b>b", "<p>ab</p>"),
        ("<td>a</td>", "<p>a</p>"),
        ("<table>a<td>b</table>c", "<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>\n<p>c</p>"),
        ('<a href="/x">1<a href="/y">2', '<p><a href="/x">1</a><a href="/y">2</a></p>'),
    ],
)  # fmt: skip
def test_tags_left_open_or_crossed_are_put_in_order(text: str, expected: str) -> None:
    assert safe_html(text) == expected


@pytest.mark.parametrize("text", ["", " \n\t ", "&nbsp;", "<p></p>", "<p><br></p>", "<b> </b>", "\x00"])
def test_what_shows_nothing_is_empty(text: str) -> None:
    assert safe_html(text) == ""


TABLE = {"table", "thead", "tbody", "tr", "td", "th"}


@pytest.mark.parametrize("name", sorted((INLINE | BLOCKS) - TABLE - {"br", "hr", "img"}))
def test_every_element_of_the_safe_set_stays(name: str) -> None:
    assert f"<{name}>x</{name}>" in safe_html(f"<{name} class=c id=i style=color:red onclick=f()>x</{name}>")


@pytest.mark.parametrize(
    ("attributes", "kept"),
    [
        ('a href="https://x.org/?a=1&amp;b=2" title="t"', 'a href="https://x.org/?a=1&amp;b=2" title="t"'),
        ("a href=http://x.org/?a=b", 'a href="http://x.org/?a=b"'),
        ("a href='mailto:a@x.org'", 'a href="mailto:a@x.org"'),
        ("a href='tel:+4930123'", 'a href="tel:+4930123"'),
        ("a href='/events/'", 'a href="/events/"'),
        ("a href='//x.org/y'", 'a href="https://x.org/y"'),
        ("a href='https://x.org' target=_blank rel=me", 'a href="https://x.org"'),
        ("abbr title='a &lt; b'", 'abbr title="a &lt; b"'),
        ("time datetime=2027-03-10", 'time datetime="2027-03-10"'),
        ('img src="/1.png" alt="A" width=10 height=5', 'img src="/1.png" alt="A" width="10" height="5"'),
        ("img src='https://x.org/i.png' width='1;x' srcset=y", 'img src="https://x.org/i.png"'),
        ("img src='mailto:a@x.org'", "img"),
        # As browsers read them.
        (r"img src='/\far.example/a.png'", 'img src="https://far.example/a.png"'),
        (r"img src='\/far.example/a.png'", 'img src="https://far.example/a.png"'),
        ("img src='/&#9;/far.example/a.png'", 'img src="https://far.example/a.png"'),
        ("img src='/&#10;/far.example/a.png'", 'img src="https://far.example/a.png"'),
        (r"a href='/&#13;\far.example'", 'a href="https://far.example"'),
        ("img src='data:image/png;base64,AAAA'", "img"),
        ("span title=x lang=de", "span"),
    ],
)  # fmt: skip
def test_attributes_of_the_safe_set_stay_and_no_others(attributes: str, kept: str) -> None:
    assert f"<{kept}>" in safe_html(f"<{attributes}>x")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<b>x</b>", "x"),
        ("a < b", "a < b"),
        ("a<b", "a< b"),
        ("1 <3 2", "1 <3 2"),
        ("Tom & Jerry", "Tom & Jerry"),
        ("Tom &amp; Jerry", "Tom & Jerry"),
        ("Tom &amp;amp; Jerry", "Tom & Jerry"),
        ("R&D; Q&A &unknown; &copy", "R&D; Q&A &unknown; &copy"),
        ("Caf&eacute; &#8211; &#x1F389;", "Café – 🎉"),
        ("&lt;b&gt;x&lt;/b&gt;", "x"),
        ("&lt;script&gt;x&lt;/script&gt;y", "y"),
        ("one<br>two<p>three</p>four", "one two three four"),
        ('<a title="a > b">x</a>', "x"),
        ("  a\n\tb\u00a0\u3000c\u2028d\x85e ", "a b\u00a0\u3000c d e"),
        ("a\x00\x07\x1f\x7f\x9fb", "ab"),
        ("a\u202eb\u2066c\u2069", "abc"),
        ("e\u0301", "é"),
        ("\ud800a", "a"),
        ("\u200b\u200d", ""),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("العربية עברית हिन्दी 日本語", "العربية עברית हिन्दी 日本語"),
        ("", ""),
    ],
)
def test_names_lose_their_tags_and_keep_their_text(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>A <em>big</em> hall.</p>\n<p>Second.</p>", "A big hall. Second."),
        ("<ul><li>a</li><li>b</li></ul>", "a b"),
        ("<p>one<br>two</p>", "one two"),
        ("<p>wo<b>rd</b></p>", "word"),
        ("<p>a &lt; b &amp;&nbsp;c</p>", "a < b & c"),
        ('<p><img src="/x" alt="y"></p>', ""),
        ("", ""),
    ],
)
def test_the_words_of_a_description(html: str, text: str) -> None:
    assert text_of(html) == text
