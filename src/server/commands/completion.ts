import { UserError } from '../../platform/user-error.ts'
import type { Command, CommandGroup, Run } from './command.ts'
import { bashScript } from './completion/bash.ts'
import { type COMPLETION, SHELLS } from './completion/declaration.ts'
import {
  completions,
  type Place,
  type Step,
  stepsOf,
  type Values,
  zshScript,
} from './completion/words.ts'

/** The script for fish. */
const fishScript = (places: readonly Place[]): string =>
  [`# tapewright for fish\n${placeFunction(places)}`, ...places.flatMap(linesOf)].join('\n')

/** Says whether the words before the cursor have led to a place. */
const placeFunction = (places: readonly Place[]): string => `function __tapewright_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
            ${stepsOf(places).map(step).join('\n            ')}
        end
    end
    test "$at" = "$argv[1]"
end
complete -c tapewright -f`

const step = ({ from, word, to }: Step): string => `case '${from} ${word}'; set at ${to}`

function linesOf({ path, words, flags, argument }: Place): string[] {
  const start = `complete -c tapewright -n "__tapewright_at '${path.join('/')}'"`
  return [
    ...words.map(({ word, does }) => `${start} -a ${word} -d ${quoted(does)}`),
    ...flags.map(({ word, does, takes }) => {
      const value = takes === null ? '' : ` ${optionValue(takes)}`
      return `${start} -l ${word.slice(2)}${value} -d ${quoted(does)}`
    }),
    ...(argument === null ? [] : [`${start} ${argumentValue(argument)}`]),
  ]
}

/** \`-x\`: a value, and no file; \`-r -F\`: a value, and files are offered too. */
const optionValue = ({ names, isFile }: Values): string =>
  [isFile ? '-r -F' : '-x', ...list(names)].join(' ')

const argumentValue = ({ names, isFile }: Values): string =>
  [...(isFile ? ['-F'] : []), ...list(names)].join(' ')

const list = (names: readonly string[]) =>
  names.length === 0 ? [] : [`-a ${quoted(names.join(' '))}`]

const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`

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
