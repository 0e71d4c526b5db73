/** The texts of `--help`: of the program, of a command, of an action. */
import type { Command, CommandGroup, Declaration } from './command.ts'
import { flagName } from './command-line.ts'
import type { Flag } from './flag.ts'
import { variableName } from './settings.ts'

/** A part of a help text: its title and lines. */
export interface HelpPart {
  title: string
  lines: readonly string[]
}

/** One line for each command. */
export const programHelp = (commands: readonly (Command | CommandGroup)[]): HelpPart[] => [
  { title: 'usage: tapewright <command> [flags]', lines: [] },
  { title: '', lines: ['A local stand-in for a crypto market-data service, HTTP and WebSocket.'] },
  { title: 'commands', lines: rows(commands.map(({ name, summary }) => [name, summary])) },
  {
    title: '',
    lines: [
      'tapewright <command> --help   every flag of one command, with examples',
      'tapewright --version          the version; with --json as JSON',
    ],
  },
]

/** The actions of a command. */
export const groupHelp = ({ name, about, actions }: CommandGroup): HelpPart[] => [
  { title: `usage: tapewright ${name} <action> …`, lines: [] },
  { title: '', lines: wrapped(about, 0) },
  {
    title: 'actions',
    lines: rows(actions.map((action) => [actionOf(action), action.summary])),
  },
  { title: '', lines: [`tapewright ${name} <action> --help   its flags, with examples`] },
]

/** Every flag of a command or an action, and examples. */
export const commandHelp = (declaration: Declaration): HelpPart[] => [
  { title: `usage: ${usage(declaration)}`, lines: [] },
  { title: '', lines: aboutLines(declaration.about) },
  ...flagsPart(declaration),
  {
    title: 'examples',
    lines: declaration.examples.flatMap(({ words, does }) => [
      `  tapewright ${words}`,
      `      ${does}`,
    ]),
  },
  { title: '', lines: settingsNote(declaration) },
]

/** The title is left out without flags. */
function flagsPart({ flags }: Declaration): HelpPart[] {
  const lines = rows(Object.entries(flags).map(flagRow))
  return lines.length === 0 ? [] : [{ title: 'flags', lines }]
}

/** `tapewright tape info TAPE [flags]`. */
export function usage({ name, argument, flags }: Declaration): string {
  const { placeholder = '', min = 0, max = 0 } = argument ?? {}
  const one = min === 0 ? `[${placeholder}]` : placeholder
  const words = argument === undefined ? [] : [max > Math.max(1, min) ? `${one} …` : one]
  const required = Object.entries(flags)
    .filter(([, { isRequired }]) => isRequired)
    .map(([key, flag]) => flagText(key, flag))
  const others = Object.values(flags).some(({ isRequired }) => !isRequired) ? ['[flags]'] : []
  return ['tapewright', name, ...words, ...required, ...others].join(' ')
}

/** `--port N`. */
const flagText = (key: string, { placeholder }: Flag): string =>
  placeholder === null ? flagName(key) : `${flagName(key)} ${placeholder}`

/** The default of a flag as text; empty when it is absent by default. */
export const absentText = ({ fallback, absent }: Flag): string =>
  fallback === undefined ? absent : String(fallback)

/** Lines indented by two stay as they are. */
const aboutLines = (about: string): string[] =>
  about
    .split('\n\n')
    .flatMap((one, i) => [
      ...(i > 0 ? [''] : []),
      ...(one.startsWith('  ') ? one.split('\n') : wrapped(one, 0)),
    ])

/** `info` of `tape info`. */
const actionOf = ({ name }: { name: string }): string => name.replace(/^.* /, '')

function flagRow([key, flag]: [string, Flag]): [string, string] {
  const absent = absentText(flag)
  return [flagText(key, flag), absent === '' ? flag.about : `${flag.about} (${absent})`]
}

/** Names in a column, with descriptions beside them. */
function rows(cells: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(NAME_WIDTH_MAX, Math.max(0, ...cells.map(([name]) => name.length)))
  return cells.flatMap(([name, about]) => {
    const [first = '', ...rest] = wrapped(about, width + 4)
    const beside = name.length <= width
    const head = beside ? [`  ${name.padEnd(width)}  ${first.trimStart()}`] : [`  ${name}`, first]
    return [...head, ...rest]
  })
}

/** A longer name has a line of its own. */
const NAME_WIDTH_MAX = 22

function settingsNote({ section, flags }: Declaration): string[] {
  const first = Object.keys(flags).find((key) => !flags[key]?.isPerRun)
  if (section === undefined || first === undefined) return []
  return [
    ...wrapped(
      `You can also set flags in the environment (${variableName(section, first)}), or under ` +
        `"${section}" in tapewright.config.ts, .json or .yaml. The command line has priority, ` +
        'then the environment.',
      0,
    ),
  ]
}

/** Maximum length of a line. */
const WIDTH = 96

/** A text wrapped to lines, each indented by so many spaces. */
function wrapped(text: string, indent: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= WIDTH)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(' '.repeat(indent) + word)
  }
  return lines
}
