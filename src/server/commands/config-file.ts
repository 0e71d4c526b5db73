/** The settings file: `tapewright.config.ts`, `.json` or `.yaml`, a section for each command. */

import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { nearestName } from '../../contract/fields/nearest-name.ts'
import { readYaml } from '../../contract/fields/yaml-text.ts'
import { UserError } from '../../platform/user-error.ts'
import { historyNameText, readHistoryName } from '../../tape/candles/candle-file.ts'
import type { Flags } from './command.ts'
import { SECTIONS } from './config-sections.ts'
import type { Flag } from './flag.ts'
import { readJsonFile, readTextFile } from './input-file.ts'

/** A settings file in which every field is known. */
export interface ConfigFile {
  path: string
  /** Its name in messages. */
  shown: string
  sections: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Default names, in order of search. */
const FILE_NAMES = [
  'tapewright.config.ts',
  'tapewright.config.json',
  'tapewright.config.yaml',
] as const

/**
 * Reads the named file, or that of the working folder; null when there is none.
 *
 * @param isAgain whether a module has been loaded before, and may have changed
 */
export async function readConfigFile(
  named: string | undefined,
  isAgain = false,
): Promise<ConfigFile | null> {
  const shown = named ?? onlyOneOf(FILE_NAMES.filter((name) => existsSync(name)))
  if (shown === undefined) return null
  const file = path.resolve(shown)
  if (!existsSync(file) || statSync(file).isDirectory())
    throw new UserError(`there is no settings file ${shown}`)
  const sections = await readSections(file, shown, isAgain)
  checkFields(sections, shown)
  return { path: file, shown, sections }
}

/** The texts of a flag in the file; undefined without one. */
export function configTexts(
  { path: file, shown, sections }: ConfigFile,
  section: string,
  key: string,
  flag: Flag,
): readonly string[] | undefined {
  const value = sections[section]?.[key]
  if (value === undefined) return undefined
  const name = `${section}.${key} in ${shown}`
  if (flag.isRepeatable !== Array.isArray(value))
    throw new UserError(`${name} must be ${flag.isRepeatable ? 'a list' : 'one value'}`)
  const inFolder = (text: string) => fromFolderOf(file, flag, text)
  return [value].flat().map((one) => inFolder(textOf(one, flag, name)))
}

function textOf(value: unknown, { takes }: Flag, name: string): string {
  if (takes.some((type) => typeof value === type)) return String(value)
  const wanted = takes.map((type) => (type === 'number' ? 'a number' : 'a text')).join(' or ')
  throw new UserError(`${name} must be ${wanted}, not ${JSON.stringify(value).slice(0, 100)}`)
}

/** Files are relative to the settings file. */
function fromFolderOf(file: string, { completes }: Flag, text: string): string {
  const placed = (name: string) =>
    path.isAbsolute(name) ? name : path.join(path.dirname(file), name)
  if (completes === 'history') return historyNameText(readHistoryName(text, placed))
  const beside = placed(text)
  // A store may be an address in the place of a file.
  if (completes === 'file') return /^\w+:\/\//.test(text) ? text : beside
  const isName = completes === 'tape' || completes === 'scenario'
  return isName && existsSync(beside) ? beside : text
}

function onlyOneOf(names: readonly string[]): string | undefined {
  if (names.length < 2) return names[0]
  throw new UserError(`there are ${names.join(' and ')} here: keep one, or name it with --config`)
}

type Sections = ConfigFile['sections']

async function readSections(file: string, shown: string, isAgain: boolean): Promise<Sections> {
  if (/\.json$/.test(file)) return readJsonFile(file, shown) as Sections
  if (!/\.ya?ml$/.test(file)) return readModule(file, shown, isAgain)
  const text = readTextFile(file, shown)
  return readYaml({ file: shown, text, whole: 'the settings file' }, (data) => data as Sections)
}

async function readModule(file: string, shown: string, isAgain: boolean): Promise<Sections> {
  // A module is loaded once for each address.
  const address = isAgain ? `${file}?${statSync(file).mtimeMs}` : file
  const read = await import(address).catch((error) => {
    throw new UserError(`${shown} cannot be read: ${firstLine(error)}`)
  })
  if (read.default !== undefined) return read.default
  throw new UserError(`${shown} exports nothing: write export default { serve: { … } }`)
}

const firstLine = (error: unknown) => String((error as Error).message ?? error).split('\n', 1)[0]

/** Throws for the first unknown field of any section. */
function checkFields(sections: unknown, shown: string): void {
  const commands = checked(sections, shown, ['$schema', ...Object.keys(SECTIONS)])
  for (const [section, fields] of Object.entries(commands)) {
    if (section === '$schema') continue
    const known = configurable(SECTIONS[section as keyof typeof SECTIONS].flags)
    checked(fields, shown, known, `${section}.`)
  }
}

/** The flags that a file may set. */
export const configurable = (flags: Flags): string[] =>
  Object.keys(flags).filter((key) => !flags[key]?.isPerRun)

function checked(value: unknown, shown: string, known: readonly string[], at = ''): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UserError(`${shown}: ${at.slice(0, -1) || 'it'} must be an object`)
  const unknown = Object.keys(value)
    .find((key) => !known.includes(key))
    ?.slice(0, 100)
  if (unknown === undefined) return value
  const nearest = nearestName(unknown, known)
  const right =
    nearest === undefined ? `there are: ${known.join(', ')}` : `did you mean ${at}${nearest}?`
  throw new UserError(`${shown} has an unknown field, ${at}${unknown}; ${right}`)
}
