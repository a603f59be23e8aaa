"""Colours that can be read, and texts of its appearance that can do no harm."""

import pytest

from kalends.values import colours
from kalends.values.appearance_texts import WrittenLink, check_css, check_tiles, links, tile_host


@pytest.mark.parametrize("colour", ["#000000", "#ffffff", "#ffff00", "#777777", "#0000ff", *colours.PALETTE])
def test_every_colour_has_shades_that_can_be_read_on_light_and_dark_pages(colour: str) -> None:
    light, dark = colours.both(colour)
    assert min(colours.contrast(light, paper) for paper in colours.LIGHT_PAPER) >= 4.5
    assert min(colours.contrast(dark, paper) for paper in colours.DARK_PAPER) >= 4.5
    for filled in (light, dark):
        assert colours.contrast(colours.on(filled), filled) >= 4.5


def test_every_accent_colour_that_can_be_chosen_can_be_read() -> None:
    """WCAG AA over the whole cube of colours: as text on both papers, and as an area with text on it."""
    steps = [f"{level:02x}" for level in (*range(0, 256, 32), 255)]
    chosen = [f"#{red}{green}{blue}" for red in steps for green in steps for blue in steps]
    poor = []
    for colour in chosen:
        light, dark = colours.both(colour)
        pairs = [(light, paper) for paper in colours.LIGHT_PAPER] + [(dark, paper) for paper in colours.DARK_PAPER]
        pairs += [(colours.on(filled), filled) for filled in (light, dark)]
        poor += [(colour, *pair) for pair in pairs if colours.contrast(*pair) < 4.5]
        if colours.contrast(colours.on(colour), colour) < 3:  # the letter of the icon
            poor.append((colour, colours.on(colour), colour))
    assert len(chosen) == 729
    assert poor == []


def test_a_colour_that_can_be_read_stays_as_it_is() -> None:
    assert colours.readable("#a5281b", colours.LIGHT_PAPER) == "#a5281b"
    assert round(colours.contrast("#000000", "#ffffff"), 1) == 21


@pytest.mark.parametrize(
    ("written", "colour"), [("#ABC", "#aabbcc"), ("a5281b", "#a5281b"), (" #000000 ", "#000000")]
)
def test_colours_are_read(written: str, colour: str) -> None:
    assert colours.parse(written) == colour


@pytest.mark.parametrize("written", ["red", "#12345", "#gggggg", "rgb(0,0,0)", "#000;}", ""])
def test_what_is_no_colour_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="no colour"):
        colours.parse(written)


def test_links_are_a_name_and_an_address_a_line() -> None:
    assert links("About us https://example.org/about\n\nHome | /\nMail mailto:a@example.org") == [
        WrittenLink("About us", "https://example.org/about"),
        WrittenLink("Home", "/"),
        WrittenLink("Mail", "mailto:a@example.org"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Click javascript:alert(1)",
        "Click JavaScript:alert(1)",
        "Click data:text/html,x",
        "Click //evil.example/",
        'Click https://a.example/"onclick=x',
        "https://only.example/",
        "Only a name",
    ],
)
def test_other_lines_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match="no link"):
        links(line)


@pytest.mark.parametrize(
    "css",
    [
        "@import 'x.css';",
        "@\\69mport 'x.css';",
        "@IMPORT url(x.css)",
        "a{background:url(https://evil.example/a.png)}",
        "a{background:url( '//evil.example/a.png')}",
        "a{background:u\\72l(http://evil.example)}",
        "a{background:url(/**/https://evil.example)}",
        "a{background:image-set('https://evil.example/a.png' 1x)}",
        "a{background:url(data:image/png;base64,AA)}",
        "a{}</style><script>",
        "a{}<\\2fstyle>",
    ],
)
def test_css_that_leaves_the_site_is_refused(css: str) -> None:
    with pytest.raises(ValueError, match="not accepted"):
        check_css(css)


def test_css_of_a_designer_is_accepted() -> None:
    check_css("/* ours */ .site-header{background:url(/media/2026/11/a.png)} a::before{content:'→ '} a:hover > b{}")


@pytest.mark.parametrize(
    "template", ["http://t.example/{z}/{x}/{y}.png", "https://t.example/{z}/{x}.png", "nonsense"]
)
def test_tiles_need_https_and_all_three_places(template: str) -> None:
    with pytest.raises(ValueError, match="no address"):
        check_tiles(template)


def test_the_host_of_tiles() -> None:
    template = "https://tiles.example.org:8443/{z}/{x}/{y}.png"
    check_tiles(template)
    assert tile_host(template) == "https://tiles.example.org:8443"
