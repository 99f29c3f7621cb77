#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The specification that userspace/spec makes, against the header and the module's policies.

    netlink_spec.py [SCHEMA]

SCHEMA is the kernel's Documentation/netlink/genetlink.yaml. Names and numbers of
attributes and commands are those of the header; type, range, length and nest of each
attribute that the module reads are those of its policy table, and each command takes
the attributes of its policy. One line each difference; exit code 1 where there is one.
"""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

# Neither has types.
yaml: Any = importlib.import_module("yaml")

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "kernel"
sys.path.insert(0, str(ROOT / "userspace/spec"))
ENTRY = re.compile(r"\[(\w+)\]\s*=\s*")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
TYPES = {"NLA_U32": "u32", "NLA_S32": "s32", "NLA_U64": "u64", "NLA_STRING": "string", "NLA_BINARY": "binary"}

# What a policy says of an attribute: type, least, greatest, bytes, policy inside.
Policy = tuple[str, int | None, int | None, int | None, str | None]


def constants(text: str) -> dict[str, int]:
    """Each #define of a number and each member of an enum."""
    found: dict[str, int] = {"U32_MAX": 2**32 - 1, "U64_MAX": 2**64 - 1}
    for name, value in re.findall(r"^#define (\w+)[ \t]+([^\n\\]+)$", text, re.MULTILINE):
        try:
            found[name] = number(value, found)
        except (NameError, SyntaxError, TypeError, ValueError):
            continue
    for body in re.findall(r"enum(?: \w+)? \{(.*?)\}", text, re.DOTALL):
        at = -1
        for member, value in re.findall(r"(\w+)(?:\s*=\s*(\d+))?,", body):
            at = int(value) if value else at + 1
            found[member] = at
    for name, value in re.findall(r"^#define (\w+_MAX) \((\w+) - 1\)$", text, re.MULTILINE):
        found[name] = found[value] - 1
    return found


def number(text: str, known: dict[str, int]) -> int:
    text = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", text)
    return int(eval(text, {"__builtins__": {}}, dict(known))) & 2**64 - 1


def bodies(text: str, pattern: str) -> dict[str, str]:
    """What stands in the braces of each initialiser, by its name."""
    return {
        m[1]: m[2]
        for m in re.finditer(pattern + r"(\w+)\S*(?:\[[^\]]*\])?\s*=\s*\{(.*?)\n\};", text, re.DOTALL)
    }


def entries(body: str) -> list[tuple[str, str]]:
    parts = ENTRY.split(body)[1:]
    return [(name, value.strip().rstrip(",")) for name, value in zip(parts[::2], parts[1::2], strict=True)]


def expanded(text: str) -> str:
    """Text with its own macros, and the table of words, expanded."""
    text = re.sub(r"^#include (?!<wlink/words).*$", "", text, flags=re.MULTILINE)
    command = ["gcc", "-E", "-P", f"-I{KERNEL / 'include'}", "-x", "c", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=True).stdout


class Module:
    """The policies of the module, and the numbers in them."""

    def __init__(self) -> None:
        headers = (KERNEL / "include/uapi/linux").glob("*.h")
        self.known = constants("".join(COMMENT.sub("", file.read_text()) for file in sorted(headers)))
        self.tables: dict[str, dict[str, Policy]] = {}
        self.nests: dict[str, str] = {}
        self.ops = ""
        shared = COMMENT.sub("", (KERNEL / "netlink/attr.h").read_text())
        for file in sorted([*KERNEL.glob("*.c"), *KERNEL.glob("*/*.c")]):
            text = COMMENT.sub("", file.read_text())
            self.read(text)
            self.read_tables(expanded(shared + text))

    def read(self, text: str) -> None:
        text = text.replace("\\\n", " ")
        macros = dict(re.findall(r"^#define (\w+)[ \t]+(.*)$", text, re.MULTILINE))
        ranges = {}
        for name, body in bodies(text, r"struct netlink_range_validation ").items():
            ends = dict(re.findall(r"\.(min|max) = ([^,\n]+)", body))
            ranges[name] = [number(ends[end], self.known) if end in ends else 0 for end in ("min", "max")]
        for name, body in bodies(text, r"const struct nla_policy\s+").items():
            for macro, value in macros.items():
                body = re.sub(rf"(?<!\[)\b{macro}\b(?!\])", value.replace("\\", ""), body)
            self.tables[name] = {attr: self.policy(value, ranges) for attr, value in entries(body)}
        if "struct genl_ops" in text:
            self.ops = text

    def read_tables(self, text: str) -> None:
        """The tables of rows, and of which nests they are."""
        for name, body in bodies(text, r"const struct wl_attr\s+").items():
            self.tables[name] = {attr: self.row(value) for attr, value in entries(body)}
        for name, attr, value in re.findall(r"^\s*\.(\w+)\[(\w+)\] = \{(.*?)\},$", text, re.MULTILINE):
            self.tables.setdefault(f"words.{name}", {})[attr] = self.row(value)
        for name, attrs in re.findall(
            r"const struct wl_nest\s+(\w+) = \{.*?\.attrs = ([\w.]+)", text, re.DOTALL
        ):
            self.nests[name] = attrs

    def row(self, text: str) -> Policy:
        if inner := re.search(r"\.inner = &\(?(\w+)", text):
            return "nest", None, None, None, inner[1]
        if "NLA_REJECT" in text:
            return "unused", None, None, None, None
        kind = TYPES[re.findall(r"NLA_[SU]\d\d|NLA_STRING|NLA_BINARY", text)[0]]
        bounds = re.findall(r"\.(min|max) = ([^,}]+(?=[,}\s]))", text)
        ends = {end: number(value, self.known) for end, value in bounds}
        if kind == "string":
            return kind, None, None, ends["max"], None
        # Bounds with a text of their own are judged later, and no part of a policy.
        if not ends.get("max") or ".bounds" in text:
            return kind, None, None, None, None
        return kind, ends.get("min", 0), ends["max"], None, None

    def policy(self, text: str, ranges: dict[str, list[int]]) -> Policy:
        if nested := re.match(r"NLA_POLICY_NESTED\((\w+)\)", text):
            return "nest", None, None, None, nested[1]
        if "NLA_REJECT" in text:
            return "unused", None, None, None, None
        if "NLA_NESTED" in text:
            return "nest", None, None, None, None
        kind = TYPES[re.findall(r"NLA_[SU]\d\d|NLA_STRING|NLA_BINARY", text)[0]]
        if length := re.search(r"\.len = (\w+)", text):
            return kind, None, None, self.known[length[1]], None
        words = re.match(r"NLA_POLICY_(\w+)\(\w+,(.*)\)", " ".join(text.split()))
        if not words:
            return kind, None, None, None, None
        if words[1] == "FULL_RANGE":
            first, last = ranges[words[2].strip(" &")]
            return kind, first, last, None, None
        values = [number(value, self.known) for value in words[2].split(",")]
        least, most = {"MAX": (0, values[0]), "MIN": (values[0], None)}.get(words[1], (values[0], values[-1]))
        return kind, least, most, None, None


def name_of(prefix: str, name: str) -> str:
    return (prefix + name).replace("-", "_").upper()


def check_nest(
    spec: dict[str, Any], module: Module, where: str, row: dict[str, Any], want: Policy
) -> list[str]:
    """The policy inside is of the set that the spec names."""
    if want[4] is None:
        return []
    inner = next(one for one in spec["attribute-sets"] if one["name"] == row["nested-attributes"])
    names = {name_of(inner["name-prefix"], member["name"]) for member in inner["attributes"]}
    table = module.tables[module.nests[want[4]]]
    return [] if set(table) <= names else [f"{where}: {want[4]} is not {inner['name']}"]


def check_attribute(where: str, row: dict[str, Any], want: Policy) -> list[str]:
    checks = row.get("checks", {})
    got = (row["type"], checks.get("min"), checks.get("max"), checks.get("max-len"))
    # A bound that the type has by itself is not said again.
    least = None if want[1] == 0 else want[1]
    most = None if want[2] in (2**32 - 1, 2**64 - 1) else want[2]
    if got != (want[0], least, most, want[3]):
        return [f"{where}: the spec has {got}, the policy {(want[0], least, most, want[3])}"]
    return []


def check_sets(spec: dict[str, Any], module: Module) -> list[str]:
    bad: list[str] = []
    for one in spec["attribute-sets"]:
        prefix = one["name-prefix"]
        value = 0
        table = table_of(module, [name_of(prefix, row["name"]) for row in one["attributes"]])
        bad += [] if table else [f"{one['name']}: the module has no policy for it"]
        for row in one["attributes"]:
            value = row.get("value", value + 1)
            c_name = name_of(prefix, row["name"])
            if module.known.get(c_name) != value:
                bad.append(f"{c_name}: {value} in the spec, {module.known.get(c_name)} in the header")
            if c_name in table:
                bad += check_attribute(c_name, row, table[c_name])
                bad += check_nest(spec, module, c_name, row, table[c_name])
        most = module.known.get(name_of("__" + prefix, "max"), 0) - 1
        if value != most:
            bad.append(f"{one['name']}: ends with {value}, the header with {most}")
    return bad


def table_of(module: Module, attributes: list[str]) -> dict[str, Policy]:
    """What the module reads of a set, in one table or several."""
    found: dict[str, Policy] = {}
    for rows in module.tables.values():
        if set(rows) <= set(attributes):
            found |= rows
    return found


def check_operations(spec: dict[str, Any], module: Module) -> list[str]:
    bad, value = [], 0
    for row in spec["operations"]["list"]:
        value = row.get("value", value + 1)
        c_name = name_of("wlink-cmd-", row["name"])
        if module.known.get(c_name) != value:
            bad.append(f"{c_name}: {value} in the spec, {module.known.get(c_name)} in the header")
        op = re.search(rf"GENL_(DO|DUMP)\({row['name'].replace('-', '_').upper()}\b([^)]*)\)", module.ops)
        call = row.get("do") or row.get("dump")
        if bool(op) != bool(call):
            bad.append(f"{c_name}: is a request in the spec or in the module only")
        if not op or not call:
            continue
        words = [word.strip() for word in op[2].split(",")]
        policy = "genl_target_policy" if op[1] == "DUMP" else words[-1]
        takes = {name.removeprefix("WLINK_A_").lower().replace("_", "-") for name in module.tables[policy]}
        if takes != set(call["request"]["attributes"]):
            bad.append(
                f"{c_name}: takes {sorted(takes)}, in the spec {sorted(call['request']['attributes'])}"
            )
        admin = "GENL_UNS_ADMIN_PERM" in op[2]
        if admin != ("admin-perm" in row.get("flags", [])):
            bad.append(f"{c_name}: who may is not the same")
    return bad


def check_schema(spec: dict[str, Any], path: str) -> list[str]:
    jsonschema: Any = importlib.import_module("jsonschema")
    schema = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    schema.pop("$schema", None)
    checker = jsonschema.Draft7Validator(schema)
    return [
        f"{list(error.path)}: {error.message}" for error in checker.iter_errors(json.loads(json.dumps(spec)))
    ]


def main() -> int:
    spec = yaml.safe_load(importlib.import_module("spec").spec())
    module = Module()
    bad = check_sets(spec, module) + check_operations(spec, module)
    if len(sys.argv) > 1:
        bad += check_schema(spec, sys.argv[1])
    print(
        "\n".join(bad) or f"{sum(len(one['attributes']) for one in spec['attribute-sets'])} attributes agree"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
