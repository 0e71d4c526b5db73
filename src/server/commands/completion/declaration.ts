/** The words of `tapewright completion`. */
import type { Declaration } from '../command.ts'

/** Supported shells. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

export const COMPLETION = {
  name: 'completion',
  summary: 'print a script that completes commands and flags in a shell',
  about: `Prints a script for bash, zsh or fish that completes commands, flags, their values,
and the names of tapes and scenarios. The shell must have tapewright on its path:

  bash   eval "$(tapewright completion bash)"     in ~/.bashrc
  zsh    eval "$(tapewright completion zsh)"      in ~/.zshrc, after compinit
  fish   tapewright completion fish | source      in ~/.config/fish/config.fish`,
  argument: { placeholder: 'SHELL', noun: 'shell', min: 1, max: 1, completes: SHELLS },
  flags: {},
  examples: [{ words: 'completion bash', does: 'print the script for bash' }],
} as const satisfies Declaration
