"""Runs a Python program and writes its execution tree to stdout: python3 emit.py shopping.py > shopping.jsonl
Functions of the program's own file become nodes. What the program prints goes to stderr."""
import itertools, json, math, sys, types

path, out = sys.argv[1], sys.stdout
text = open(path, encoding="utf-8").read()
lines = text.split("\n")
stack, ids = [], itertools.count(1)

def term(value, depth=6):
    """A Python value as a term; what is too deep or too long is said to be left out."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"num": repr(value)}
    if isinstance(value, str):
        return value if len(value) <= 1000 else {"str": value[:1000], "more": len(value) - 1000}
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type)):
        return {"fun": value.__name__}
    if depth == 0:
        return {"omitted": True}
    if isinstance(value, (list, tuple)):
        parts = [term(part, depth - 1) for part in value[:100]]
        parts += [{"omitted": len(value) - 100}] if len(value) > 100 else []
        return parts if isinstance(value, list) else {"tuple": parts}
    if isinstance(value, dict):
        return {"map": [[term(key, depth - 1), term(part, depth - 1)] for key, part in list(value.items())[:100]]}
    if isinstance(value, BaseException):
        return {"con": type(value).__name__, "args": [term(part, depth - 1) for part in value.args]}
    if hasattr(value, "__dict__"):
        return {"object": type(value).__name__, "fields": {name: term(part, depth - 1) for name, part in vars(value).items()}}
    return {"opaque": repr(value)}

def place(first, last):
    return {"start": [first, 1], "end": [last, len(lines[last - 1]) + 1]}

def trace(frame, event, arg):
    code = frame.f_code
    if event == "call" and code.co_filename != path:
        return None
    if event == "call":  # values are taken now: the function may change them
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        last = max(line or 1 for _, _, line in code.co_lines()) if stack else len(lines)
        stack.append({"id": next(ids), "parent": stack[-1]["id"] if stack else None, "function": code.co_name,
                      "span": place(max(code.co_firstlineno, 1), last),
                      "args": {name: term(frame.f_locals[name]) for name in names}, "ran": set(), "raised": None})
    elif event == "return":
        node = stack.pop()
        raised, ran = node.pop("raised"), sorted(node.pop("ran"))
        node |= {"result": term(arg)} if raised is None else {"exception": term(raised)}
        print(json.dumps(node | {"code": [place(line, line) for line in ran]}), file=out)
    else:  # an exception after which another line of the function runs was caught
        stack[-1]["raised"] = arg[1] if event == "exception" else None
        stack[-1]["ran"].add(frame.f_lineno)
    return trace

print(json.dumps({"gadfly": 1, "language": "python", "program": path, "sources": [{"file": path, "text": text}]}))
sys.stdout, program = sys.stderr, compile(text, path, "exec")
sys.settrace(trace)
exec(program, {"__name__": "__main__"})
