"""What a system lacks is asked of one module, and imported only where it is used."""

import ast

from architecture.house import nodes, project, source

# Not on Windows, or on Windows alone.
_OF_ONE_SYSTEM = {
    *("fcntl", "grp", "pwd", "posix", "pty", "resource", "syslog", "termios", "tty"),
    *("msvcrt", "winreg", "_winapi"),
}
_QUESTIONS = {"os.name", "sys.platform"}
# Each is asked for with hasattr or getattr, or where Windows never comes.
_CALLS = {"os.fork", "os.getuid", "os.setsid", "os.mkfifo", "os.startfile"}


def test_one_module_asks_which_system_this_is():
    asking = {
        place.partition(":")[0]
        for place, node in nodes("src", "os.name", "sys.platform", kind=ast.Attribute)
        if ast.unparse(node) in _QUESTIONS
    }
    # The twin shares nothing with the rest.
    assert asking == {"src/kawe/system.py", "src/kawe_twin/options.py"}


def test_every_module_can_be_imported_on_every_system():
    imported = [
        f"{module.name}:{node.lineno}"
        for module in source()
        for node in _at_import(module.tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        and _names(node) & _OF_ONE_SYSTEM
    ]
    assert imported == []


def test_no_module_calls_what_windows_has_not():
    calls = nodes("src", *_CALLS)
    assert [place for place, node in calls if ast.unparse(node.func) in _CALLS] == []


def test_time_zones_come_along_where_the_system_has_none():
    found = [
        each
        for each in project()["project"]["dependencies"]
        if each.startswith("tzdata") and "sys_platform == 'win32'" in each
    ]
    assert len(found) == 1


def _names(node):
    if isinstance(node, ast.Import):
        return {each.name.partition(".")[0] for each in node.names}
    return {(node.module or "").partition(".")[0]}


def _at_import(tree):
    """Give what runs when a module is imported: no functions, no type checking."""
    left = list(tree.body)
    while left:
        node = left.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        left += ast.iter_child_nodes(node)
