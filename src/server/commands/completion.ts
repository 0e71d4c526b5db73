import { UserError } from '../../platform/user-error.ts'
import type { Command, CommandGroup, Run } from './command.ts'
import { type COMPLETION, SHELLS } from './completion/declaration.ts'
import {
  completions,
  type Place,
  type Step,
  stepsOf,
  type Values,
  zshScript,
} from './completion/words.ts'

/** `tapewright completion`: a completion script for a shell, made from the declarations. */
export const completionOf =
  (commands: readonly (Command | CommandGroup)[]): Run<typeof COMPLETION> =>
  async ({ rest: [named = ''] }) => {
    const shell = SHELLS.find((one) => one === named)
    if (shell === undefined)
      throw new UserError(`completion is for ${SHELLS.join(', ')}, not "${named}"`)
    console.log(SCRIPTS[shell](completions(commands)))
    return 0
  }

/** The script for bash. It needs no package of completions, and works in bash 3. */
const bashScript = (places: readonly Place[]): string => `# tapewright for bash
_tapewright() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} at='' i
  # An equals sign is a word of its own here: --epoch=live is three.
  if [ "$current" = '=' ]; then
    current=''
  elif [ "$before" = '=' ]; then
    before=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${stepsOf(places).map(bashCase).join('\n      ')}
    esac
  done
  local words='' files=''
  case "$at $before" in
    ${places.flatMap(valueCases).join('\n    ')}
    *)
      case "$at" in
        ${places.map(placeCase).join('\n        ')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ -n "$files" ]; then compopt -o default 2>/dev/null; fi
}
complete -F _tapewright tapewright`

const bashCase = ({ from, word, to }: Step): string => `'${from} ${word}') at=${to} ;;`

const valueCases = ({ path, flags }: Place): string[] =>
  flags.flatMap(({ word, takes }) =>
    takes === null ? [] : [`'${path.join('/')} ${word}') ${offer(takes)} ;;`],
  )

function placeCase({ path, words, flags, argument }: Place): string {
  const names = [...words.map(({ word }) => word), ...(argument?.names ?? [])]
  const plain = offer({ names, isFile: argument?.isFile ?? false })
  const dashed = offer({ names: flags.map(({ word }) => word), isFile: false })
  return `'${path.join('/')}') case "$current" in -*) ${dashed} ;; *) ${plain} ;; esac ;;`
}

const offer = ({ names, isFile }: Values): string =>
  [
    ...(names.length > 0 ? [`words='${names.join(' ')}'`] : []),
    ...(isFile ? ['files=yes'] : []),
  ].join(' ')

/** The script for fish. */
const fishScript = (places: readonly Place[]): string =>
  [`# tapewright for fish\n${placeFunction(places)}`, ...places.flatMap(linesOf)].join('\n')

/** A function that tests whether the words before the cursor lead to a place. */
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
