"""Merges modules by a plan and rewrites all who import them: a tool of the rebuilding, which goes with it.

    python tests/merging.py tests/merging_library.txt           says what clashes
    python tests/merging.py tests/merging_library.txt --write   does it
    python tests/merging.py --circles tests/merging_library.txt says which circles the plan would make

A line of the plan: ``new = part part … ; part.name=new_name …``; ``@package`` is a prefix for the lines below it,
``/`` before a name takes none. A package as a part is its ``__init__``. Private names and constants that clash get
the name of their module before them; other clashes are reported and nothing of that line is written. Where parts
import different things under one name, or one imports what another defines, the later import gets its own name back
(``gettext_lazy``) or that of its module before it (``bot_accounts_selectors``). A line ``%comments`` keeps the docstrings
of the parts below it as comments above their first line. Afterwards:
``ruff check --fix --select I,F401,PIE790`` (never RUF100 beside a selection: it takes away all ``noqa``),
``ruff format``, floors, types, tests. Tried on the library: 200 modules go; ``assemble`` in ``cardroom/fast/kernel.py``
names modules in texts and has to follow by hand, and Pişti's ``chances`` and ``quick_counter`` clash on RANKS.
"""

import ast, re, subprocess, sys, os, textwrap
from collections import defaultdict
from pathlib import Path

ROOT = Path.cwd()
CODE = (
    "accounts",
    "cardroom",
    "config",
    "decks",
    "docs",
    "examples",
    "games",
    "tests",
    "manage.py",
    "docker",
)
FUN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Source:
    def __init__(s, path):
        s.path = path
        s.bytes = path.read_bytes()
        s.tree = ast.parse(s.bytes)
        s.L = [0]
        for line in s.bytes.split(b"\n"):
            s.L.append(s.L[-1] + len(line) + 1)
        parts = path.relative_to(ROOT).with_suffix("").parts
        s.module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        s.scopes = {}
        s.parent = {}
        s._walk(s.tree, ())
        s.bound = {}

    def _walk(s, node, around):
        s.scopes[node] = around
        inner = around + (node,) if isinstance(node, FUN) else around
        for c in ast.iter_child_nodes(node):
            s.parent[c] = node
            s._walk(c, inner)

    def span(s, n):
        return s.L[n.lineno - 1] + n.col_offset, s.L[n.end_lineno - 1] + n.end_col_offset

    def binds(s, scope):
        if scope not in s.bound:
            names = {a.arg for a in ast.walk(scope.args) if isinstance(a, ast.arg)}
            decl = set()
            for n in ast.walk(scope):
                if isinstance(n, ast.Name) and isinstance(n.ctx, (ast.Store, ast.Del)):
                    names.add(n.id)
                elif isinstance(n, ast.Global):
                    decl |= set(n.names)
                elif isinstance(n, ast.ExceptHandler) and n.name:
                    names.add(n.name)
                elif isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n is not scope:
                    names.add(n.name)
                elif isinstance(n, (ast.MatchAs, ast.MatchStar)) and n.name:
                    names.add(n.name)
                elif isinstance(n, ast.arg):
                    names.add(n.arg)
            s.bound[scope] = names - decl
        return s.bound[scope]

    def local(s, name, node):
        return any(name in s.binds(sc) for sc in s.scopes[node])

    def classlocal(s, name, node):
        p = node
        while p in s.parent:
            p = s.parent[p]
            if isinstance(p, ast.ClassDef):
                for st in p.body:
                    if isinstance(st, (ast.FunctionDef,)) and st.name == name:
                        return True
                    if (
                        isinstance(st, ast.AnnAssign)
                        and isinstance(st.target, ast.Name)
                        and st.target.id == name
                    ):
                        return True
                    if isinstance(st, ast.Assign) and any(
                        isinstance(t, ast.Name) and t.id == name for t in st.targets
                    ):
                        return True
                return False
            if isinstance(p, FUN):
                return False
        return False

    def edited(s, edits):
        t = s.bytes
        for a, b, x in sorted(set(edits), reverse=True):
            t = t[:a] + x + t[b:]
        return t


cache = {}


def load(path):
    key = (path, path.stat().st_mtime_ns)
    if cache.get(path, (None,))[0] != key:
        cache[path] = (key, Source(path))
    return cache[path][1]


def file_of(m):
    f = ROOT / m.replace(".", "/")
    return f / "__init__.py" if f.is_dir() else f.with_suffix(".py")


def defined(tree):
    names = {}
    for st in tree.body:
        if isinstance(st, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names[st.name] = st
        elif isinstance(st, (ast.Import, ast.ImportFrom)):
            pass
        else:

            def visit(n):
                if isinstance(n, FUN + (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
                    return
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                    names[n.id] = st
                for c in ast.iter_child_nodes(n):
                    visit(c)

            visit(st)
    return names


def imports(tree):
    for n in ast.walk(tree):
        if isinstance(n, (ast.Import, ast.ImportFrom)):
            for a in n.names:
                yield n, a


def docexpr(st):
    return (
        isinstance(st, ast.Expr)
        and isinstance(st.value, ast.Constant)
        and isinstance(st.value.value, str)
    )


def commented(doc):
    lines = []
    for paragraph in doc.split("\n\n"):
        if "\n    " in paragraph or "\n*" in paragraph or paragraph.startswith("*"):
            for line in paragraph.split("\n"):
                lines += [line] if len(line) <= 98 else textwrap.wrap(line, 98, subsequent_indent="  ")
        else:
            lines += textwrap.wrap(paragraph, 96)
        lines.append("")
    return "\n".join(f"# {line}".rstrip() for line in lines[:-1])


def inner_cut(edits):
    kept = []
    for e in sorted(set(edits), key=lambda e: (e[0], -e[1])):
        if not kept or e[0] >= kept[-1][1]:
            kept.append(e)
    return kept


class Merge:
    def __init__(s, new, parts, ren, comments=False):
        s.new = new
        s.comments = comments
        s.ren = defaultdict(dict)
        s.aliases = defaultdict(dict)  # part -> local name of an import -> the name it gets
        for k, v in ren.items():
            m, _, n = k.rpartition(".")
            s.ren[m][n] = v
        s.faults = []
        s.auto = []
        s.notes = []
        s.target = ROOT / (new.replace(".", "/") + ".py")
        src = {}
        for p in parts:
            f = file_of(p)
            if not f.exists():
                s.faults.append(f"no module {p}")
                continue
            src[p] = load(f)
        s.src = src
        if s.faults:
            s.parts = list(src)
            return
        # order: toposort by top-level imports, stable; a package's __init__ doc stays head but its code last
        deps = {p: set() for p in src}
        for p, so in src.items():
            for st in so.tree.body:
                if isinstance(st, ast.ImportFrom):
                    for a in st.names:
                        w = f"{st.module}.{a.name}"
                        if w in src and w != p:
                            deps[p].add(w)
                        elif st.module in src and st.module != p:
                            deps[p].add(st.module)
        order = []
        left = list(src)
        while left:
            nxt = next((p for p in left if not deps[p] & set(left) - {p}), None)
            if nxt is None:
                s.faults.append(f"circle among {left}")
                nxt = left[0]
            order.append(nxt)
            left.remove(nxt)
        s.head = parts[0]
        s.parts = order
        s.top = {p: defined(so.tree) for p, so in src.items()}
        s.autorename()
        s.autoalias()

    def autoalias(s):
        """Imports that clash with another part's imports or definitions get another name."""
        taken = {}
        words = ("django.utils.translation", "gettext")
        for so in s.src.values():
            if any((n.module, a.name) == words for n, a in imports(so.tree) if hasattr(n, "module")):
                taken["_"] = words
        for p in s.parts:
            for st in s.src[p].tree.body:
                if not isinstance(st, ast.ImportFrom):
                    continue
                for a in st.names:
                    if f"{st.module}.{a.name}" in s.src or st.module in s.src:
                        continue
                    loc, what = a.asname or a.name, (st.module, a.name)
                    if loc in s.ren[p]:  # the plan names it
                        s.aliases[p][loc] = alias = s.ren[p].pop(loc)
                        taken[alias] = what
                        continue
                    if taken.setdefault(loc, what) == what and loc not in s.owner:
                        continue
                    alias = a.name
                    if alias in s.owner or taken.get(alias, what) != what:
                        alias = f"{st.module.rpartition('.')[2]}_{a.name}"
                        if a.name[0].isupper() and not a.name.isupper():
                            alias = st.module.rpartition(".")[2].title().replace("_", "") + a.name
                        elif a.name.isupper():
                            alias = alias.upper()
                    taken[alias] = what
                    s.aliases[p][loc] = alias
                    s.auto.append(f"{p}.{loc} as {alias}")

    def same(s, a, b, name):
        x, y = s.top[a].get(name), s.top[b].get(name)
        if isinstance(x, (ast.FunctionDef, ast.ClassDef)) or isinstance(
            y, (ast.FunctionDef, ast.ClassDef)
        ):
            return ast.dump(x) == ast.dump(y) and name in ("Row", "T")
        return ast.dump(x) == ast.dump(y)

    def autorename(s):
        owner = {}
        s.dupes = defaultdict(set)
        for p in s.parts:
            for n in s.top[p]:
                m = s.ren[p].get(n, n)
                if m in owner:
                    o, on = owner[m]
                    if n == on and s.same(o, p, n):
                        s.dupes[p].add(n)
                        continue
                    tail = p.rpartition(".")[2].strip("_")
                    if n.startswith("_") and n == m:
                        x = f"_{tail}{n}"
                        s.ren[p][n] = x
                        s.auto.append(f"{p}.{n} -> {x}")
                        m = x
                    elif n.isupper() and n == m and n not in ("GAME",):
                        x = f"{tail.upper()}_{n}"
                        s.ren[p][n] = x
                        s.auto.append(f"{p}.{n} -> {x}")
                        m = x
                    else:
                        s.faults.append(f"{m} is defined by {o} and {p}")
                owner.setdefault(m, (p, n))
        s.owner = owner

    def rn(s, p, n):
        return s.ren[p].get(n, n) if p in s.ren else n

    def edits(s, so, inside, alias=None):
        ed = []
        gone = set()
        mods = {}
        names = {}
        own = so.module if inside else ""
        names.update(s.ren.get(own, {}))
        imported_names = {}
        for n, a in imports(so.tree):
            if isinstance(n, ast.Import):
                continue
            loc = a.asname or a.name
            w = f"{n.module}.{a.name}"
            if w in s.src:
                mods[loc] = w
                gone.add((n, a.name))
            elif n.module in s.src:
                x = s.rn(n.module, a.name)
                # name re-exported? (package __init__ that imports from its parts)
                if a.name not in s.top[n.module]:
                    for q in s.parts:
                        if a.name in s.top[q]:
                            x = s.rn(q, a.name)
                            break
                if inside and loc != x:
                    names[loc] = x
                elif not inside and not a.asname and x != loc:
                    names[loc] = x
                imported_names[(n, a.name)] = x
                gone.add((n, a.name))
        if inside:
            names.update(s.aliases.get(own, {}))
        tail = alias or s.new.rpartition(".")[2]
        for n in ast.walk(so.tree):
            if (
                isinstance(n, ast.Attribute)
                and isinstance(n.value, ast.Name)
                and n.value.id in mods
                and not so.local(n.value.id, n)
            ):
                p = mods[n.value.id]
                attr = s.rn(p, n.attr)
                a, b = so.span(n)
                if inside:
                    if so.local(attr, n):
                        s.faults.append(
                            f"{so.module}:{n.lineno}: {attr} (of {p}) is a local name there"
                        )
                    if so.classlocal(attr, n):
                        s.faults.append(
                            f"{so.module}:{n.lineno}: {attr} (of {p}) is a class attribute there"
                        )
                    ed.append((a, b, attr.encode()))
                else:
                    ed.append((so.span(n.value)[0], b, f"{tail}.{attr}".encode()))
            elif (
                isinstance(n, ast.Name)
                and not so.local(n.id, n)
                and not (isinstance(n.ctx, ast.Store) and so.classlocal(n.id, n))  # a field
            ):
                if n.id in names:
                    new = names[n.id]
                    if inside and so.local(new, n):
                        s.faults.append(f"{so.module}:{n.lineno}: {new} is a local name there")
                    ed.append((*so.span(n), new.encode()))
                elif n.id in mods and not (isinstance(so.parent.get(n), ast.Attribute)):
                    if inside:
                        s.faults.append(f"{so.module}:{n.lineno}: module {n.id} used as a value")
                    ed.append((*so.span(n), tail.encode()))
            elif (
                isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef))
                and n.name in names
                and not so.scopes[n]
                and isinstance(so.parent[n], ast.Module)
            ):
                st = so.bytes.index(n.name.encode(), so.L[n.lineno - 1])
                ed.append((st, st + len(n.name.encode()), names[n.name].encode()))
            elif isinstance(n, ast.Global):
                for g in n.names:
                    if g in names:
                        a, b = so.span(n)
                        t = so.bytes[a:b]
                        ed.append(
                            (a, b, re.sub(rb"\b" + g.encode() + rb"\b", names[g].encode(), t))
                        )
        return inner_cut(ed), gone, imported_names

    def merged(s):
        imps = {}
        plain = []
        body = []
        head = b""
        lazy = {}
        hs = s.src[s.head]
        if hs.tree.body and docexpr(hs.tree.body[0]):
            a, b = hs.span(hs.tree.body[0])
            head = hs.bytes[a:b]
        other_docs = []
        for p in s.parts:
            so = s.src[p]
            ed, gone, _ = s.edits(so, True)
            cut = list(ed)

            def drop(a, b):
                nonlocal cut
                cut = [e for e in cut if not a <= e[0] < b]
                cut.append((a, b, b""))

            for at, st in enumerate(so.tree.body):
                if at == 0 and docexpr(st):
                    a, b = so.span(st)
                    drop(a, b)
                    if p != s.head:
                        other_docs.append((p, ast.get_docstring(so.tree)))
                elif isinstance(st, (ast.Import, ast.ImportFrom)):
                    for al in st.names:
                        if (st, al.name) in gone:
                            continue
                        nm = al.asname or al.name
                        as_ = f" as {al.asname}" if al.asname else ""
                        if nm in s.aliases[p] and not isinstance(st, ast.Import):
                            nm = s.aliases[p][nm]
                            as_ = f" as {nm}" if nm != al.name else ""
                        if isinstance(st, ast.Import):
                            plain.append(f"import {al.name}{as_}")
                            continue
                        t = f"from {st.module} import {al.name}{as_}"
                        if nm in imps and imps[nm][0] != t:
                            s.faults.append(f"{p}: {t}, but {imps[nm][1]}: {imps[nm][0]}")
                        imps.setdefault(nm, (t, p))
                    a, b = so.span(st)
                    e = so.bytes.find(b"\n", b)
                    drop(a, e if e >= 0 else len(so.bytes))
                else:
                    nm = [n for n, x in s.top[p].items() if x is st]
                    if nm and set(nm) <= s.dupes[p]:
                        a, b = so.span(st)
                        drop(a, b)
            for st, _ in gone:
                if so.parent[st] is not so.tree:
                    a, b = so.span(st)
                    left = [al for al in st.names if (st, al.name) not in gone]
                    cut = [e for e in cut if not a <= e[0] < b]
                    cut.append((a, b, b"pass"))
                    if left:
                        s.faults.append(f"{p}:{st.lineno}: nested import mixes")
            text = so.edited(cut).strip(b"\n")
            if s.comments and text and p != s.head and ast.get_docstring(so.tree):
                text = commented(ast.get_docstring(so.tree)).encode() + b"\n\n" + text
            body.append(text)
        for n, (t, p) in imps.items():
            if n in s.owner:
                s.faults.append(f"{p} imports {n} ({t}), which {s.owner[n][0]} defines")
        txt = "\n".join(dict.fromkeys([*plain, *(t for t, _ in imps.values())]))
        s.other_docs = other_docs
        return b"\n\n".join([x for x in (head, txt.encode(), *body) if x]) + b"\n"

    def rewritten(s, so):
        ed, gone, inames = s.edits(so, False)
        tail = s.new.rpartition(".")[2]
        par = s.new.rpartition(".")[0]
        usesmod = any(f"{n.module}.{n2}" in s.src for n, n2 in gone)
        alias = None
        if usesmod:
            clash = False
            for n, a in imports(so.tree):
                if (n, a.name) not in gone and (a.asname or a.name) == tail:
                    clash = True
            for n in ast.walk(so.tree):
                if isinstance(n, ast.Name) and n.id == tail and isinstance(n.ctx, ast.Store):
                    clash = True
                if isinstance(n, ast.arg) and n.arg == tail:
                    clash = True
                if (
                    isinstance(n, (ast.FunctionDef, ast.ClassDef))
                    and n.name == tail
                    and isinstance(so.parent[n], ast.Module)
                ):
                    clash = True
            if clash and any(not so.local(x, so.tree) for x in [0]):
                olds = [
                    a.asname or a.name
                    for n, a in imports(so.tree)
                    if (n, a.name) in gone and f"{n.module}.{a.name}" in s.src
                ]
                if tail in olds and len(set(olds)) == 1:
                    clash = False
                else:
                    alias = next(o for o in olds if o != tail)
                    s.notes.append(f"{so.module}: as {alias}")
                    ed, gone, inames = s.edits(so, False, alias)
        done = set()
        for st, _ in gone:
            if st in done:
                continue
            done.add(st)
            ts = []
            for al in st.names:
                as_ = f" as {al.asname}" if al.asname else ""
                w = f"{st.module}.{al.name}"
                if w in s.src:
                    ts.append(f"from {par} import {tail}" + (f" as {alias}" if alias else ""))
                elif st.module in s.src:
                    ts.append(f"from {s.new} import {inames[(st, al.name)]}{as_}")
                else:
                    ts.append(f"from {st.module} import {al.name}{as_}")
            a, b = so.span(st)
            ed = [e for e in ed if not a <= e[0] < b]
            ed.append((a, b, ("\n" + " " * st.col_offset).join(dict.fromkeys(ts)).encode()))
        return s.follow(so.edited(ed))

    def follow(s, t):
        for p, ns in s.ren.items():
            for o, n in ns.items():
                t = re.sub(rb"\b" + re.escape(f"{p}.{o}".encode()) + rb"\b", f"{p}.{n}".encode(), t)
        for p in sorted(s.src, key=len, reverse=True):
            if p == s.new:
                folder = (p.replace(".", "/") + "/__init__.py").encode()
                if file_of(p) != s.target:
                    t = t.replace(folder, (p.replace(".", "/") + ".py").encode())
                continue
            t = re.sub(rb"(?<![\w.])" + re.escape(p.encode()) + rb"(?![\w])", s.new.encode(), t)
            path = p.replace(".", "/")
            f = str(file_of(p).relative_to(ROOT)) if file_of(p).exists() else path + ".py"
            t = re.sub(
                rb"\b" + re.escape(f.encode()) + rb"\b",
                (s.new.replace(".", "/") + ".py").encode(),
                t,
            )
        return t

    def run(s, write):
        if s.faults:
            return
        module = s.merged()
        files = {so.path for so in s.src.values()}
        keys = [p.rpartition(".")[2].encode() for p in s.src]
        changed = {}
        for path in everything():
            if path in files or path == s.target:
                continue
            b = path.read_bytes()
            if not any(k in b for k in keys):
                continue
            if path.suffix == ".py" and (path.relative_to(ROOT).parts[0] in CODE):
                t = s.rewritten(load(path))
            else:
                t = s.follow(b)
            if t != b:
                changed[path] = t
        module = s.follow(module)
        s.n = len(module.split(b"\n"))
        if s.faults or not write:
            return
        for p, t in changed.items():
            p.write_bytes(t)
        for p in files:
            p.unlink()
        for folder in {p.parent for p in files}:
            left = [x for x in folder.rglob("*") if x.is_file() and "__pycache__" not in x.parts]
            if not left or (
                [x.name for x in left] == ["__init__.py"]
                and s.target.parent != folder
                and not left[0].read_bytes().strip()
            ):
                subprocess.run(["rm", "-rf", str(folder)])
        s.target.parent.mkdir(parents=True, exist_ok=True)
        s.target.write_bytes(module)
        global _all
        _all = None


_all = None


def everything():
    global _all
    if _all is None:
        o = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True
        ).stdout.split("\n")
        ok = (".py", ".md", ".toml", ".txt", ".html", ".yml", ".yaml", ".js", ".cfg")
        _all = [
            ROOT / x
            for x in o
            if x
            and (x.endswith(ok) or x in ("Makefile",))
            and x != "CHANGELOG.md"
            and not x.startswith("tests/merging")
            and (ROOT / x).is_file()
            and not (ROOT / x).is_symlink()
        ]
    return [p for p in _all if p.exists()]


def main():
    plan = Path(sys.argv[1]).read_text()
    write = "--write" in sys.argv
    prefix = ""
    comments = False
    bad = 0
    plan = re.sub(r"\n[ \t]+", " ", plan)
    for line in plan.split("\n"):
        line = line.split("#")[0].strip()
        if not line:
            continue
        if line.startswith("@"):
            prefix = line[1:].strip()
            continue
        if line == "%comments":
            comments = True
            continue
        left, _, ren = line.partition(";")
        new, _, parts = left.partition("=")
        q = lambda x: (
            (f"{prefix}.{x}" if prefix and x != "." else prefix) if not x.startswith("/") else x[1:]
        )
        new = q(new.strip())
        parts = [q(x) for x in parts.split()]
        # globs
        rens = {}
        for r in ren.split():
            k, _, v = r.partition("=")
            rens[q(k)] = v
        m = Merge(new, parts, rens, comments)
        m.run(write)
        if m.faults:
            bad += 1
            print("✗", new)
            for f in dict.fromkeys(m.faults):
                print("    ", f)
        else:
            print(
                "✓",
                new,
                m.n,
                "lines of",
                len(parts),
                "|",
                "; ".join(a.rpartition(".")[2] for a in m.auto),
                "| " + "; ".join(dict.fromkeys(m.notes)) if m.notes else "",
            )
    return bad


def circles(plan_file):
    plan = re.sub(r"\n[ \t]+", " ", Path(plan_file).read_text())
    prefix = ""
    group = {}
    for line in plan.split("\n"):
        line = line.split("#")[0].strip()
        if not line:
            continue
        if line.startswith("%"):
            continue
        if line.startswith("@"):
            prefix = line[1:].strip()
            continue
        left = line.partition(";")[0]
        new, _, parts = left.partition("=")
        q = lambda x: (
            (f"{prefix}.{x}" if prefix and x != "." else prefix) if not x.startswith("/") else x[1:]
        )
        for p in parts.split():
            group[q(p)] = q(new.strip())
    files = [
        f
        for f in subprocess.run(
            ["git", "ls-files", "*.py"], capture_output=True, text=True
        ).stdout.split()
        if f.split("/")[0] in ("accounts", "cardroom", "config", "decks", "games")
        and "/migrations/" not in f
    ]
    mods = {}
    for f in files:
        m = f[:-3].replace("/", ".")
        m = m[:-9] if m.endswith(".__init__") else m
        mods[m] = f
    E = {}

    def add(a, b):
        a = group.get(a, a)
        b = group.get(b, b)
        if a != b:
            E.setdefault(a, {}).setdefault(b, None)

    why = {}
    for m, f in mods.items():
        tree = ast.parse(Path(f).read_bytes())
        for st in tree.body:
            if isinstance(st, ast.ImportFrom) and st.module:
                for al in st.names:
                    w = f"{st.module}.{al.name}"
                    t = w if w in mods else st.module if st.module in mods else None
                    if t:
                        a, b = group.get(m, m), group.get(t, t)
                        if a != b:
                            E.setdefault(a, set())
                            E[a] = set(E[a]) | {b}
                            why.setdefault((a, b), []).append(f"{m}→{t}")
    # SCC
    sys.setrecursionlimit(10000)
    idx = {}
    low = {}
    st = []
    on = set()
    out = []
    n = [0]

    def sc(v):
        idx[v] = low[v] = n[0]
        n[0] += 1
        st.append(v)
        on.add(v)
        for w in E.get(v, ()):
            if w not in idx:
                sc(w)
                low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], idx[w])
        if low[v] == idx[v]:
            c = []
            while True:
                w = st.pop()
                on.discard(w)
                c.append(w)
                if w == v:
                    break
            if len(c) > 1:
                out.append(c)

    for v in list(E):
        if v not in idx:
            sc(v)
    for c in out:
        print("CIRCLE", c)
        for a in c:
            for b in E.get(a, ()):
                if b in c:
                    print(
                        "    ",
                        a,
                        "->",
                        b,
                        ":",
                        ", ".join(
                            x.replace("cardroom.", "").replace("games.", "")
                            for x in why[(a, b)][:6]
                        ),
                    )


if __name__ == "__main__":
    if sys.argv[1] == "--circles":
        circles(sys.argv[2])
    else:
        sys.exit(main() > 0)
