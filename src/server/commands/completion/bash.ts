import { type Place, type Step, stepsOf, type Values } from './words.ts'

/** The script for bash. It needs no package of completions, and nothing that bash 3 has not. */
export const bashScript = (places: readonly Place[]): string => `# tapewright for bash
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
      ${stepsOf(places).map(step).join('\n      ')}
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

const step = ({ from, word, to }: Step): string => `'${from} ${word}') at=${to} ;;`

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
