/** Finds and runs the command of a command line. */
import { nearestName, unknownText } from '../../contract/fields/nearest-name.ts'
import { IS_PACKAGE } from '../../platform/environment.ts'
import { UserError } from '../../platform/user-error.ts'
import { VERSION } from '../../platform/version.ts'
import type { Command, CommandGroup, Declaration } from './command.ts'
import { readCommandLine } from './command-line.ts'
import type { HelpPart } from './help.ts'
import { COMMANDS } from './index.ts'
import { fileNamed, settingsOf, settingsText, valuesOf, withSettingsFlags } from './settings.ts'

/** An unknown command, which has an exit code of its own. */
export class UnknownCommand extends UserError {
  override name = 'UnknownCommand'
  override readonly exitCode = 2
}

/** Runs the command of the words and returns the exit code; a UserError describes what is wrong. */
export async function dispatch(words: readonly string[]): Promise<number> {
  const [first = '--help', ...rest] = words
  if (first === '--version' || first === '-V') return print(versionText(rest))
  const asksHelp = ['--help', '-h', 'help'].includes(first)
  const [name, ...others] = asksHelp ? rest : words
  if (name === undefined) return printHelp((help) => help.programHelp(COMMANDS.filter(runsHere)))
  const found = COMMANDS.find((entry) => entry.name === name)
  if (found === undefined) throw new UnknownCommand(unknownText('command', name, names()))
  const wantsHelp = asksHelp || rest.includes('--help') || rest.includes('-h')
  if (!('actions' in found)) return runOrHelp(found, others, wantsHelp)
  const [action, ...more] = others.filter((word) => !wantsHelp || !word.startsWith('-'))
  if (wantsHelp && action === undefined) return printHelp((help) => help.groupHelp(found))
  return runOrHelp(actionNamed(found, action), more, wantsHelp)
}

function actionNamed({ name, actions }: CommandGroup, given: string | undefined): Command {
  const known = actions.map((action) => action.name.slice(name.length + 1))
  const found = actions.find((action) => action.name === `${name} ${given}`)
  if (found) return found
  const list = `the actions are ${known.join(', ')}`
  if (given === undefined) throw new UnknownCommand(`${name} needs an action, ${list}`)
  const nearest = nearestName(given, known)
  const right = nearest === undefined ? list : `did you mean "${name} ${nearest}"?`
  throw new UnknownCommand(`there is no "${name} ${given}", ${right}`)
}

async function runOrHelp(
  { declaration, load }: Command,
  words: readonly string[],
  wantsHelp: boolean,
): Promise<number> {
  const whole = withSettingsFlags(declaration)
  if (wantsHelp) return printHelp((help) => help.commandHelp(whole))
  const line = readCommandLine(whole, words)
  const config = declaration.section === undefined ? null : await configOf(fileNamed(line))
  const settings = settingsOf(whole, line, config)
  if (settings.get('printConfig')?.value === true)
    return print(settingsText(whole, settings, config))
  const reread = async () =>
    valuesOf<Declaration>(settingsOf(whole, line, await configOf(config?.shown, true)))
  const settingsFile = config && { path: config.path, shown: config.shown, reread }
  return (await load())({ flags: valuesOf<Declaration>(settings), rest: line.rest, settingsFile })
}

const configOf = async (named: string | undefined, isAgain = false) =>
  (await import('./config-file.ts')).readConfigFile(named, isAgain)

function versionText(words: readonly string[]): string {
  const record = { version: VERSION, bun: Bun.version }
  return words.includes('--json') ? JSON.stringify(record) : VERSION
}

const names = () => COMMANDS.filter(runsHere).map((entry) => entry.name)

/** A package has no benchmarks. */
const runsHere = ({ name }: { name: string }) => !IS_PACKAGE || name !== 'bench'

/** Help is loaded on demand: most starts do not need it. */
async function printHelp(partsOf: (help: typeof import('./help.ts')) => HelpPart[]) {
  const { styled } = await import('./terminal.ts')
  const paragraphs = partsOf(await import('./help.ts')).map(({ title, lines }) => [
    ...(title ? [styled(title, 'bold', process.stdout)] : []),
    ...lines,
  ])
  const filled = paragraphs.filter((lines) => lines.length > 0)
  return print(filled.map((lines) => lines.join('\n')).join('\n\n'))
}

function print(text: string): number {
  process.stdout.write(`${text.trimEnd()}\n`)
  return 0
}
