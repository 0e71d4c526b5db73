/** The completions of every place on the command line, for all shells. */

import { RECORDINGS_FOLDER, SCENARIOS_FOLDER } from '../../../platform/environment.ts'
import { scenarioNames } from '../../../sandbox/scenario/scenario-library.ts'
import { recordingNames } from '../../../tape/tape-name.ts'
import {
  type Argument,
  type Command,
  type CommandGroup,
  type Declaration,
  everyCommand,
} from '../command.ts'
import { flagName } from '../command-line.ts'
import type { Completes, Flag } from '../flag.ts'
import { withSettingsFlags } from '../settings.ts'

/** The values of a place: names, and whether files are allowed. */
export interface Values {
  names: readonly string[]
  isFile: boolean
}

/** A word with its description. */
export interface Word {
  word: string
  does: string
}

export interface FlagWord extends Word {
  /** The values that follow it; null for none. */
  takes: Values | null
  /** The placeholder of its value. */
  placeholder: string
}

/** A place on the command line with words of its own. */
export interface Place {
  /** The words before it: none, `tape`, `tape info`. */
  path: readonly string[]
  /** The next words: commands, actions. */
  words: readonly Word[]
  flags: readonly FlagWord[]
  argument: Values | null
  /** The noun of the argument. */
  noun: string
}

const HELP: FlagWord = { word: '--help', does: 'prints help', takes: null, placeholder: '' }
const VERSION: FlagWord = { word: '--version', does: 'prints it', takes: null, placeholder: '' }

/** Every place: the start, each command, each action. */
export function completions(commands: readonly (Command | CommandGroup)[]): Place[] {
  const start = {
    path: [],
    words: [...commands.map(wordOf), { word: 'help', does: 'prints help' }],
    flags: [HELP, VERSION],
    argument: null,
    noun: '',
  }
  const help = { path: ['help'], words: commands.map(wordOf), flags: [], argument: null, noun: '' }
  const groups = commands.flatMap((entry) =>
    'actions' in entry
      ? [
          {
            path: [entry.name],
            words: entry.actions.map(wordOf),
            flags: [HELP],
            argument: null,
            noun: '',
          },
        ]
      : [],
  )
  return [
    start,
    help,
    ...groups,
    ...everyCommand(commands).map(({ declaration }) => placeOf(declaration)),
  ]
}

const wordOf = ({ name, summary }: { name: string; summary: string }): Word => ({
  word: name.replace(/^.* /, ''),
  does: summary,
})

function placeOf(declaration: Declaration): Place {
  const { name, argument, flags } = withSettingsFlags(declaration)
  return {
    path: name.split(' '),
    words: [],
    flags: [...Object.entries(flags).map(flagWord), HELP],
    argument: argumentValues(argument),
    noun: argument?.placeholder ?? '',
  }
}

const flagWord = ([key, { about, placeholder, completes }]: [string, Flag]): FlagWord => ({
  word: flagName(key),
  does: about,
  takes: placeholder === null ? null : valuesOf(completes),
  placeholder: placeholder ?? '',
})

const argumentValues = (argument: Argument | undefined): Values | null =>
  argument === undefined ? null : valuesOf(argument.completes ?? null)

/** Tapes and scenarios are listed when the script runs. */
function valuesOf(completes: Completes | null): Values {
  if (completes === 'file' || completes === 'history') return { names: [], isFile: true }
  if (completes === 'tape') return { names: recordingNames(RECORDINGS_FOLDER), isFile: true }
  if (completes === 'scenario') return { names: scenarioNames(SCENARIOS_FOLDER), isFile: true }
  return { names: completes ?? [], isFile: false }
}

/** A word that leads from one place to the next: `info` after `tape`. */
export interface Step {
  from: string
  word: string
  to: string
}

/** All steps between places. */
export const stepsOf = (places: readonly Place[]): Step[] =>
  places
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => ({
      from: path.slice(0, -1).join('/'),
      word: path.at(-1) ?? '',
      to: path.join('/'),
    }))

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
  // After a space the function is called with exactly these words.
  return isFile ? ` _tapewright_or_file ${list}` : `(${list})`
}

const escaped = (text: string) => text.replace(/[:[\]\\"]/g, '\\$&')

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
