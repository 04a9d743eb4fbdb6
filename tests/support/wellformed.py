"""Whether HTML is well-formed: every tag is whole, and every element is closed where its parent expects it."""

import re

VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "wbr"})
# These end an open paragraph, so that its closing tag is left over.
BLOCKS = frozenset({"div", "dl", "fieldset", "footer", "form", "h1", "h2", "h3", "header", "ol", "p", "pre", "section"})
BLOCKS |= {"table", "ul"}
ALONE = frozenset({"a", "button", "form", "label"})  # must not stand within another of their kind

ATTRIBUTE = r"""\s+[^\s"'<>/=]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?"""
ATTRIBUTES = re.compile(ATTRIBUTE)
ICON = r'<ic [^ ">]+(?: "[^"]*")?>'
TAG = re.compile(rf"<(?:/([a-z]\w*)|(?!ic )([a-z]\w*)((?:{ATTRIBUTE})*)\s*(/?))>|{ICON}|<!doctype html>|<")


def malformed(html: str) -> list[str]:
    """What is wrong, each with the text around it. The icons of fragments are known."""
    wrong = list[str]()
    path = list[str]()
    for tag in TAG.finditer(html):
        closed, opened, attributes, empty = tag.groups()
        fault = ""
        if closed:
            fault = "" if path and path[-1] == closed else f"</{closed}> in {path}"
            if closed in path:
                del path[len(path) - 1 - path[::-1].index(closed) :]
        elif opened:
            names = [attribute.strip().partition("=")[0] for attribute in ATTRIBUTES.findall(attributes)]
            if len(set(names)) < len(names):
                fault = "an attribute twice"
            elif opened in ALONE and opened in path:
                fault = f"<{opened}> in <{opened}>"
            elif opened in BLOCKS and path[-1:] == ["p"]:
                fault = f"<{opened}> in <p>"
            if opened not in VOID and not empty:
                path.append(opened)
        elif tag.group() == "<":
            fault = "no tag"
        if fault:
            wrong.append(f"{fault}: {html[max(0, tag.start() - 60) : tag.end() + 60]}")
    return wrong + [f"<{left}> is not closed" for left in path]
