"""``genex/html`` through Gene programs: well-formed markup, and nothing that gets out of its place."""

import html.parser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import error, value

from gene.data.atoms import Symbol
from gene.data.forms import Gene
from gene.runtime.exceptions import ArgumentException, TypeException
from gene.stdlib.html import escape, render


def page(data):
    """What some data renders as."""
    return value(f"(genex/html/render {data})")


RENDERED = {
    "`(p)": "<p></p>",
    '`(p "a < b & c > d")': "<p>a &lt; b &amp; c &gt; d</p>",
    '`(div ^class "x" (p "one") (p "two"))': '<div class="x"><p>one</p><p>two</p></div>',
    '`(a ^href "/?a=1&b=\\"2\\"" "go")': '<a href="/?a=1&amp;b=&quot;2&quot;">go</a>',
    "`(p 1 2.5 true `sym nil void 2024-02-03)": "<p>12.5truesym2024-02-03</p>",
    '`(ul [(li "a") [(li "b")]])': "<ul><li>a</li><li>b</li></ul>",
    '`(input ^^required ^!value ^disabled false ^type "text")': '<input required type="text">',
    '`(p ^class ["a" nil "b"])': '<p class="a b"></p>',
    '`(p ^style {^color "red" ^margin 0 ^x nil})': '<p style="color: red; margin: 0"></p>',
    "`(my-element ^data-id 7)": '<my-element data-id="7"></my-element>',
    "`(svg:circle ^r 1)": '<svg:circle r="1"></svg:circle>',
    '`(p (br) (img ^src "a"))': '<p><br><img src="a"></p>',
    '[`(p) "x" `(p)]': "<p></p>x<p></p>",
    '"<" `(p) nil': "&lt;<p></p>",
    '`(script "if (a < b && c) {}")': "<script>if (a < b && c) {}</script>",
    '`(style ["a > b {}"])': "<style>a > b {}</style>",
    '`(p "é😀")': "<p>é😀</p>",
    "": "",
}


@pytest.mark.parametrize(("data", "expected"), RENDERED.items())
def test_render(data, expected):
    """Each kind of data has one form in a page."""
    assert page(data) == expected


def test_templates_with_values():
    """A quoted head takes the values of what stands in it; unquoted parts of a template are rendered before."""
    text = """
      (fn row [item] (`tr ^class item/kind (`td item/name) (`td item/count)))
      (var items [{^name "<Apple>" ^count 3 ^kind "fruit"} {^name "Nut" ^count nil}])
      (genex/html/render (`table (items .map row)))
    """
    assert value(text) == (
        '<table><tr class="fruit"><td>&lt;Apple&gt;</td><td>3</td></tr><tr><td>Nut</td><td></td></tr></table>'
    )
    assert value('(var x "<") (var t `(p %x)) (genex/html/render ($render t))') == "<p>&lt;</p>"


def test_documents_markup_and_escapes():
    """A document has its doctype; markup goes in as it is; text can be escaped by hand."""
    assert value('(genex/html/document `(html (body "x")))') == (
        "<!DOCTYPE html>\n<html><body>x</body></html>"
    )
    assert value('(genex/html/render (`p (genex/html/raw "<b>x</b>")))') == "<p><b>x</b></p>"
    assert (
        value('(genex/html/escape "<a b=\'c\' d=\\"e\\">&")')
        == "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;"
    )


REFUSED = {
    '(`br "x")': (ArgumentException, "html: <br> has no content"),
    '(`script "</SCRIPT>")': (
        ArgumentException, "html: the text of <script> contains </script or <!--, which would end it",
    ),
    '`("a b")': (ArgumentException, "html: not the name of a tag: a b"),
    "`([1] 2)": (ArgumentException, "html: not the name of a tag: [1]"),
    '`(p ^on\\"x "y")': (ArgumentException, 'html: not the name of an attribute: on"x'),
    "`(p {^a 1})": (TypeException, "html: a value of type VkMap has no place in a page"),
    "(fn [] 1)": (TypeException, "html: a value of type VkFunction has no place in a page"),
    "`(p ^a [[1]])": (TypeException, "html: a value of type VkArray has no place in a page"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "expected"), REFUSED.items())
def test_what_has_no_place_in_a_page(data, expected):
    """Data that would make a broken page is refused."""
    failed = error(f"(genex/html/render {data})")
    assert (type(failed), str(failed)) == expected


@pytest.mark.parametrize("name", ["escape", "raw"])
def test_text_is_needed(name):
    """Functions of text take nothing else."""
    assert str(error(f"(genex/html/{name} 5)")) == f"html.{name} requires a string, got VkInt"
    assert str(error(f"(genex/html/{name})")) == f"html.{name} requires a string, got nothing"


def test_deep_and_cyclic_data():
    """Depth is no problem; data that contains itself is refused, the same data twice is not."""
    deep = "x"
    for _ in range(50_000):
        deep = Gene(Symbol("b"), None, [deep])
    assert render(deep) == "<b>" * 50_000 + "x" + "</b>" * 50_000
    assert str(error("(var a []) (a .push a) (genex/html/render a)")) == (
        "html.render requires data that does not contain itself"
    )
    assert value("(var p (`p)) (genex/html/render [p p [p]])") == "<p></p>" * 3


class Reader(html.parser.HTMLParser):
    """What a browser would see: tags with attributes, and text."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.seen = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, attributes))

    def handle_data(self, data):
        self.seen.append(data)


@given(st.text(alphabet=st.characters(exclude_characters="\r\0", exclude_categories=("Cs",)), min_size=1))
def test_text_stays_text(text):
    """Whatever a text is, a reader of the page gets it back, as content and as an attribute."""
    shown = Reader(render(Gene(Symbol("p"), {"title": text}, [text]))).seen
    assert shown[0] == ("p", [("title", text)])
    assert "".join(shown[1:]) == text
    assert Reader(escape(text)).seen == [text]
