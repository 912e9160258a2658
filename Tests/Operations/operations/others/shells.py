# SPDX-License-Identifier: Apache-2.0
"""bash, zsh and fish load their completions."""

from pathlib import Path

from operations.check import Check, Setting, require
from operations.others.programs import need, output, version

_BASH = """
. /usr/share/bash-completion/bash_completion
. "$1"
function=$(complete -p oidc-broker | sed -n 's/.* -F \\([^ ]*\\).*/\\1/p')
COMP_WORDS=(oidc-broker ser) COMP_CWORD=1 COMP_LINE='oidc-broker ser' COMP_POINT=15 COMP_TYPE=9
"$function" oidc-broker ser oidc-broker
printf '%s\\n' "${COMPREPLY[@]}"
"""
_ZSH = """
fpath=("$1" $fpath)
autoload -Uz compinit && compinit -u -D
autoload +X _oidc-broker
print -r -- "${_comps[oidc-broker]}"
"""
_FISH = """
source $argv[1]
complete -C 'oidc-broker ser'
"""


def _bash(setting: Setting) -> str:
    path = need("bash", "bash")
    completed = output(
        [path, "--norc", "--noprofile", "-c", _BASH, "bash", str(_script(setting, "bash"))]
    ).split()
    require("serve" in completed, f"bash completes {completed}")
    return f"completes `ser` to `serve`; {version('bash')}, {version('bash-completion')}"


def _zsh(setting: Setting) -> str:
    path = need("zsh", "zsh")
    script = _script(setting, "zsh")
    output([path, "-f", "-n", str(script)])
    printed = output([path, "-f", "-c", _ZSH, "zsh", str(script.parent)]).split()
    require(printed == ["_oidc-broker"], f"zsh says {printed}")
    return f"compinit takes `_oidc-broker` for oidc-broker; {version('zsh')}"


def _fish(setting: Setting) -> str:
    path = need("fish", "fish")
    completed = output([path, "--no-config", "-c", _FISH, str(_script(setting, "fish"))]).split()
    require("serve" in completed, f"fish completes {completed}")
    return f"completes `ser` to `serve`; {version('fish')}"


def _script(setting: Setting, shell: str) -> Path:
    directory = setting.directory / shell
    directory.mkdir()
    script = (
        directory / {"bash": "oidc-broker.bash", "zsh": "_oidc-broker", "fish": "oidc-broker.fish"}[shell]
    )
    script.write_text(output([str(setting.executable), "--generate-completion-script", shell]))
    return script


CHECKS = [
    Check("bash loads its completions", "`oidc-broker ser` is completed to `serve`", _bash),
    Check("zsh loads its completions", "the script has no errors and is found for oidc-broker", _zsh),
    Check("fish loads its completions", "`oidc-broker ser` is completed to `serve`", _fish),
]
