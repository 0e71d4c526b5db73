/** docs/commands.md and the table of commands in the README, from the declarations of commands. */
import { type Command, type Declaration, everyCommand } from '../src/server/commands/command.ts'
import { flagName } from '../src/server/commands/command-line.ts'
import type { Flag } from '../src/server/commands/flag.ts'
import { absentText, usage } from '../src/server/commands/help.ts'
import { COMMANDS } from '../src/server/commands/index.ts'
import { variableName, withSettingsFlags } from '../src/server/commands/settings.ts'

/** The README with its present table of commands. */
export function withCommandTable(readme: string): string {
  const [before, , after] = readme.split(/<!-- \/?commands -->\n/)
  if (after === undefined) throw new Error('the README has no place for commands')
  return `${before}<!-- commands -->\n${commandTable()}\n<!-- /commands -->\n${after}`
}

const commandTable = () =>
  table(
    ['command', ''],
    COMMANDS.map(({ name, summary }) => [`\`${name}\``, summary]),
  )

/** The page of every command, action and flag. */
export const commandsPage = (): string =>
  `${[INTRODUCTION, SETTINGS, ...everyCommand(COMMANDS).map(section)].join('\n\n')}\n`

const INTRODUCTION = `# Commands

<!-- run by test/cli/examples.test.ts -->

\`bun run generate\` writes this page from the declarations of the commands.
\`tapewright <command> --help\` prints the same. In a checkout, use \`bun run <command>\`.
\`--json\` prints one line of JSON on standard output, for programs. Progress, warnings and errors
go to standard error. Terminals get colours unless \`NO_COLOR\` is set; \`FORCE_COLOR\` turns
colours on everywhere. Progress is shown on a terminal, unless \`CI\` is set.`

const SETTINGS = `## Settings

You can also set a flag in the environment, under the name in its table, or in a settings file:
\`tapewright.config.ts\`, \`.json\` or \`.yaml\` in the working folder, or the file that
\`--config\` names. The command line has priority, then the environment, then the file. In the
environment, separate the values of a list by commas. Paths in a settings file are relative to that
file. Unknown fields are refused by name. \`tapewright serve --print-config\` shows each effective
value and its source. A server reads its settings file again when you save it: \`speed\`, \`end\`
and \`scenario\` are then in force in the default sandbox, and the log names the others that have
changed and need a new start.

\`\`\`json
{
  "$schema": "./node_modules/tapewright/tapewright.schema.json",
  "serve": { "port": 0, "speed": 10, "scenario": ["stale-book"] },
  "conform": { "only": ["answer"], "report": ["junit=conformance.xml"] }
}
\`\`\`

\`\`\`ts
import { defineConfig } from 'tapewright/config'

export default defineConfig({ serve: { port: 0, speed: 10, scenario: ['stale-book'] } })
\`\`\`

Put secrets into the environment. Three variables have no flag:
\`TAPEWRIGHT_CONTROL_TOKEN\`, the token of the control plane; \`TAPEWRIGHT_CACHE\`, the folder of
cast worlds; and \`TAPEWRIGHT_WORLDS\`, a folder of
[packed worlds](places.md#worlds-that-are-cast-already).`

function section({ declaration }: Command): string {
  const { name, about, examples } = declaration
  const typed = examples.map(({ words, does }) => `# ${does}\ntapewright ${words}`)
  const parts = [
    `## ${name}`,
    `\`${usage(withSettingsFlags(declaration)).replaceAll('|', '\\|')}\``,
    paragraphs(about),
    flagTable(declaration),
    `\`\`\`sh\n${typed.join('\n')}\n\`\`\``,
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** Lines indented by two are kept. */
const paragraphs = (about: string): string =>
  about
    .split('\n\n')
    .map((one) => (one.startsWith('  ') ? `\`\`\`text\n${one}\n\`\`\`` : one))
    .join('\n\n')

function flagTable(declaration: Declaration): string {
  const { section: name } = declaration
  const flags = Object.entries(withSettingsFlags(declaration).flags)
  if (flags.length === 0) return ''
  if (name === undefined) return table(['flag', 'meaning', 'default'], flags.map(cells))
  return table(
    ['flag', 'meaning', 'default', 'in the environment', `in a file, under \`${name}\``],
    flags.map(([key, flag]) => [
      ...cells([key, flag]),
      ...(flag.isPerRun ? ['', ''] : [`\`${variableName(name, key)}\``, `\`${key}\``]),
    ]),
  )
}

function cells([key, flag]: [string, Flag]): string[] {
  const { placeholder, about } = flag
  const value = placeholder === null ? '' : ` ${placeholder}`
  return [`\`${flagName(key)}${value}\``, about, absentText(flag)]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (text === '' ? ' ' : ` ${text.replaceAll('|', '\\|')} `)
  const line = (texts: readonly string[]) => `|${texts.map(cell).join('|')}|`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
