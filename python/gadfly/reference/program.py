"""The program, as far as a reference is compared with it: its modules, and the code of the call that is asked about."""

import ast
import os
import sys
import types

from gadfly.messages import BAD_REFERENCE, FILE, MODULE, NO_COUNTERPART, ReferencePlace, Unanswerable
from gadfly.recording import suspects
from gadfly.reference import align
from gadfly.reference.import_hook import reach
from gadfly.reference.source import Reference, locate
from gadfly.reference.swap_code import Adoption

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, ModuleType
    from typing import Any

    from gadfly._types import Value
    from gadfly.recording.suspects import Describer


class Program:
    """The program at a call: the call's code, and the variables of its module."""

    def __init__(
        self, describer: "Describer", code: "CodeType", variables: "dict[str, Value]", references: "dict[Any, Reference] | None" = None
    ) -> None:
        self.describer, self.code, self.variables = describer, code, variables
        # Those that were read before, by their places.
        self.references: dict[Any, Reference] = {} if references is None else references
        self.name = describer.qualified(code)

    def reference(self, wanted: ReferencePlace) -> Reference:
        kind, place = wanted.kind, wanted.place
        if kind == MODULE:
            spec = locate(place)
            if spec is None:
                raise Unanswerable(BAD_REFERENCE, f"there is no module {place}")
            if spec.submodule_search_locations is None:
                kind, place = FILE, spec.origin
        root = wanted.root if wanted.root is not None else self.describer.root
        reference = self.references.setdefault((kind, place, root), Reference(kind, place, root))
        if reference.kind == FILE:
            # One file is the counterpart of one module: of the one that has most of what it defines.
            defined = reference.source(reference.place).defined()
            stem = os.path.splitext(os.path.basename(reference.place))[0]
            name, (file, _) = max(
                self.defined().items(), key=lambda item: (len(defined & item[1][1]), item[0] == stem), default=(None, (None, None))
            )
            reference.choose(name, file)
        return reference

    def modules(self) -> "Any":
        """The modules of the program that are suspected."""
        found = {}
        for name, module in list(sys.modules.items()):
            module = behind(module, name)
            file = module.__dict__.get("__file__") if isinstance(module, types.ModuleType) else None
            if type(file) is str and self.describer.is_suspect_file(file):
                found[name] = module
        return found

    def defined(self) -> "Any":
        """The files of the modules of the program, and what they define; also of those that are yet to be imported."""
        found = {name: (module.__file__, set(module.__dict__)) for name, module in self.modules().items()}
        if self.code.co_name == "<module>":
            for name, (file, _) in list(found.items()):
                for other, (place, names) in reach(name, file, self.describer.is_suspect_file).items():
                    found[other] = place, names | found.get(other, (place, set()))[1]
        return found

    def tree(self) -> "Any":
        """The call's own code."""
        tree = ast.parse(suspects.read(self.code.co_filename) or "")
        return align.find(tree, self.name, self.code.co_firstlineno)

    def source(self, reference: "Reference") -> "Any":
        """The file of the reference that has the counterpart of the call's code."""
        path = reference.source_for(self.variables.get("__name__", ""), self.code.co_filename)
        return path and reference.home(path, self.name)

    def aligned(self, reference: "Reference") -> "Any":
        """The call's own code, and the reference's."""
        source = self.source(reference)
        if source is None:
            raise Unanswerable(NO_COUNTERPART, f"the reference has no counterpart of {self.code.co_filename}")
        theirs = align.find(reference.tree(source), self.name, None)
        ours = align.find(ast.parse(suspects.read(self.code.co_filename)), self.name, self.code.co_firstlineno)
        if theirs is None or ours is None:
            raise Unanswerable(NO_COUNTERPART, f"the reference has no {self.name}")
        return ours, theirs

    def adoption(
        self, reference: "Reference", modules: "dict[str, ModuleType]", strict: bool = False, wanted: "Callable[[Any], bool] | None" = None
    ) -> "Any":
        return Adoption(reference, modules, self.describer.is_suspect_file, strict, wanted, self.describer.is_test_code)


def behind(module: "Any", name: str) -> "Any":
    """The module that another one stands for, and holds; or itself."""
    if isinstance(module, types.ModuleType) and "__file__" not in module.__dict__:
        for one in module.__dict__.values():
            if isinstance(one, types.ModuleType) and one.__dict__.get("__name__") == name and "__file__" in one.__dict__:
                return one
    return module
