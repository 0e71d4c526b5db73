import { UserError } from '../user-error.ts'
import type { Command, CommandGroup, Run } from './command.ts'
import { bashScript } from './completion/bash.ts'
import { type COMPLETION, SHELLS } from './completion/declaration.ts'
import { fishScript } from './completion/fish.ts'
import { completions } from './completion/words.ts'
import { zshScript } from './completion/zsh.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** `tapewright completion`: a script for a shell, out of what the commands declare. */
export const completionOf =
  (commands: readonly (Command | CommandGroup)[]): Run<typeof COMPLETION> =>
  async ({ rest: [named = ''] }) => {
    const shell = SHELLS.find((one) => one === named)
    if (shell === undefined)
      throw new UserError(`completion is for ${SHELLS.join(', ')}, not "${named}"`)
    console.log(SCRIPTS[shell](completions(commands)))
    return 0
  }
