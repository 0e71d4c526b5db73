import type { Place, Values, Word } from './words.ts'

/** The script for fish. */
export const fishScript = (places: readonly Place[]): string =>
  ['# tapewright for fish', 'complete -c tapewright -f', ...places.flatMap(linesOf)].join('\n')

function linesOf({ path, words, flags, argument }: Place): string[] {
  const condition = `-n ${quoted(conditionOf(path, words))}`
  return [
    ...words.map(
      ({ word, does }) => `complete -c tapewright ${condition} -a ${word} -d ${quoted(does)}`,
    ),
    ...flags.map(({ word, does, takes }) => {
      const value = takes === null ? '' : ` ${optionValue(takes)}`
      return `complete -c tapewright ${condition} -l ${word.slice(2)}${value} -d ${quoted(does)}`
    }),
    ...(argument === null ? [] : [`complete -c tapewright ${condition} ${argumentValue(argument)}`]),
  ]
}

/** Where it holds: after the words of the place, and before one that leads further. */
function conditionOf(path: readonly string[], words: readonly Word[]): string {
  const after = path.map((word) => `__fish_seen_subcommand_from ${word}`)
  const further = words.map(({ word }) => word).join(' ')
  const before = further === '' ? [] : [`not __fish_seen_subcommand_from ${further}`]
  return [...after, ...before].join('; and ')
}

/** \`-x\`: a value, and no file; \`-r -F\`: a value, and files are offered too. */
const optionValue = ({ names, isFile }: Values): string =>
  [isFile ? '-r -F' : '-x', ...list(names)].join(' ')

const argumentValue = ({ names, isFile }: Values): string =>
  [...(isFile ? ['-F'] : []), ...list(names)].join(' ')

const list = (names: readonly string[]) =>
  names.length === 0 ? [] : [`-a ${quoted(names.join(' '))}`]

const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`
