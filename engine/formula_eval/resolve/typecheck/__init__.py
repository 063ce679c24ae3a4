"""Type-checks expressions as authors wrote them: binds names, looks up words and verifies units.

Enters: an expression, the scope of all declarations, and the place where it stands (`context.py`: folder, own columns
or parameters, rows). Leaves: the same tree with names bound to nodes and words to choices, its type, and a finding
for each name that means nothing and each value that does not fit. Read `checker.py` first: one rule for each kind of
node. `units.py` has the rules of units, `declared_types.py` the types that authors declare.
"""

from formula_eval.resolve.typecheck.checker import TypeChecker
from formula_eval.resolve.typecheck.declared_types import column_type, type_of
from formula_eval.resolve.typecheck.situations import check_situation
from formula_eval.resolve.typecheck.units import described

__all__ = ["TypeChecker", "check_situation", "column_type", "described", "type_of"]
