import { type FlagWord, type Place, type Step, stepsOf, type Values, type Word } from './words.ts'

/** The script for zsh: to be evaluated after compinit, or kept as \`_tapewright\` in its path. */
export const zshScript = (places: readonly Place[]): string => `#compdef tapewright
_tapewright_or_file() { _alternative "names:name:($*)" 'files:file:_files' }
_tapewright() {
  local at='' i
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${stepsOf(places).map(step).join('\n      ')}
    esac
  done
  case "$at" in
    ${places.map(placeCase).join('\n    ')}
  esac
}
if [ "$funcstack[1]" = _tapewright ]; then
  _tapewright "$@"
else
  compdef _tapewright tapewright
fi`

/** The words before it no longer count. */
const step = ({ from, word, to }: Step): string => `'${from} ${word}') at=${to} ;;`

function placeCase({ path, words, flags, argument, noun }: Place): string {
  const depth = path.length
  const skipped = path.map((_, i) => quoted(`${i + 1}: :`))
  const next =
    words.length > 0
      ? [quoted(`${depth + 1}:command:((${words.map(choice).join(' ')}))`)]
      : argument === null
        ? []
        : [quoted(`*:${escaped(noun)}:${action(argument)}`)]
  const parts = [...flags.map(flagSpec), ...skipped, ...next]
  return `'${path.join('/')}') _arguments \\\n      ${parts.join(' \\\n      ')} ;;`
}

function flagSpec({ word, does, takes, placeholder }: FlagWord): string {
  const about = `[${escaped(does)}]`
  if (takes === null) return quoted(`${word}${about}`)
  return quoted(`${word}=${about}:${escaped(placeholder)}:${action(takes)}`)
}

const choice = ({ word, does }: Word): string => `${word}\\:"${escaped(does)}"`

function action({ names, isFile }: Values): string {
  const list = names.join(' ')
  if (names.length === 0) return isFile ? '_files' : ' '
  // After a space it is called with these words and no others.
  return isFile ? ` _tapewright_or_file ${list}` : `(${list})`
}

const escaped = (text: string) => text.replace(/[:[\]\\"]/g, '\\$&')

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
