"""`kawe completion`: the script with which a shell completes words on Tab."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import get_completion_class

from kawe.cli.output.exit import ExitCode
from kawe.cli.shared.declaring import argument, options_class, taking
from kawe.errors import SettingsError

# click's own takes a name with a blank for two words, and one with * for a pattern.
_BASH: Final = """\
%(complete_func)s() {
    local type value
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
            plain)
                # Treated as a name of a file, it is quoted, also within quotes.
                [[ $value == *[!A-Za-z0-9._-]* ]] && compopt -o filenames
                COMPREPLY+=("$value") ;;
            file) compopt -o default ;;
            dir) compopt -o dirnames ;;
        esac
    done < <(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


@options_class
class _CompletionOptions:
    shell: str = argument(
        type=click.Choice(["bash", "zsh", "fish", "powershell"], case_sensitive=False)
    )


@click.command(epilog="Example: kawe completion bash")
@taking(_CompletionOptions)
def completion(options: _CompletionOptions) -> int:
    """Print the script that lets a shell complete commands, files and batches.

    Load it from the file that your shell reads when it starts. Tab asks nobody
    but this computer: workbooks of the folder, and batches of the journal.
    """
    made = get_completion_class(options.shell)
    if made is None:
        raise SettingsError(
            message="kawe cannot complete commands in PowerShell with this click.",
            hint="click 8.5 and later can: bring kawe's libraries up to date. Git Bash "
            "and WSL have bash, which every version can.",
        )
    words = {
        "complete_func": "_kawe_completion",
        "complete_var": "_KAWE_COMPLETE",
        "prog_name": "kawe",
    }
    template = _BASH if options.shell == "bash" else made.source_template
    click.echo((template % words).rstrip())
    return ExitCode.DONE
