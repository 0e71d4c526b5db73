/** What can be completed where, for every shell. */

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
import type { Flag } from '../flag.ts'
import type { Completes } from '../flag-kind.ts'
import { withSettingsFlags } from '../settings.ts'

/** What may stand in a place: names, and whether a file may too. */
export interface Values {
  names: readonly string[]
  isFile: boolean
}

/** A word with what it does. */
export interface Word {
  word: string
  does: string
}

export interface FlagWord extends Word {
  /** What follows it; null when nothing does. */
  takes: Values | null
  /** What its value is called. */
  placeholder: string
}

/** A place on the command line that has words of its own. */
export interface Place {
  /** The words before it: none, `tape`, `tape info`. */
  path: readonly string[]
  /** What goes on from here: commands, actions. */
  words: readonly Word[]
  flags: readonly FlagWord[]
  argument: Values | null
  /** What the argument is called. */
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

/** Names of tapes and scenarios are those that there are now. */
function valuesOf(completes: Completes | null): Values {
  if (completes === 'file' || completes === 'history') return { names: [], isFile: true }
  if (completes === 'tape') return { names: recordingNames(RECORDINGS_FOLDER), isFile: true }
  if (completes === 'scenario') return { names: scenarioNames(SCENARIOS_FOLDER), isFile: true }
  return { names: completes ?? [], isFile: false }
}

/** A word that leads from one place to the next: `info` behind `tape`. */
export interface Step {
  from: string
  word: string
  to: string
}

/** All of them; what leads nowhere stays where it is. */
export const stepsOf = (places: readonly Place[]): Step[] =>
  places
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => ({
      from: path.slice(0, -1).join('/'),
      word: path.at(-1) ?? '',
      to: path.join('/'),
    }))
