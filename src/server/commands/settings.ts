/** Settings: flags from command line, environment or settings file, in this order. */

import { environmentVariable } from '../../platform/environment.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Declaration, FlagValues } from './command.ts'
import { type CommandLine, flagName } from './command-line.ts'
import { type ConfigFile, configTexts } from './config-file.ts'
import { file, given } from './flag.ts'

/** A value and its source: `--port`, `TAPEWRIGHT_PORT`, a file, or `default`. */
export interface Setting {
  value: unknown
  from: string
}

/** The common flags of commands with a section in settings files. */
const SETTINGS_FLAGS = {
  config: file({
    about: 'the settings file',
    absent: 'tapewright.config.ts, .json or .yaml in the working folder',
    perRun: true,
  }),
  printConfig: given('prints what is in force and where it comes from, as JSON, and ends'),
} as const

/** A declaration with these flags, if it has a section. */
export const withSettingsFlags = <D extends Declaration>(declaration: D): Declaration =>
  declaration.section === undefined
    ? declaration
    : { ...declaration, flags: { ...declaration.flags, ...SETTINGS_FLAGS } }

/** The environment variable of a flag in a section. */
export function variableName(section: string, key: string): string {
  // The service is the common case: its variables have no prefix of a section.
  const words = section === 'serve' ? key : `${section}-${key}`
  return `TAPEWRIGHT_${words.replace(/[A-Z]/g, '-$&').replaceAll('-', '_').toUpperCase()}`
}

/** Every flag of a command with its value, under its declared name. */
export function settingsOf(
  { flags, section }: Declaration,
  { texts }: CommandLine,
  config: ConfigFile | null,
): Map<string, Setting> {
  const found = Object.entries(flags).map(([key, flag]): [string, Setting] => {
    const text = texts.get(key)
    if (text !== undefined) return [key, setting(text, flagName(key))]
    if (section === undefined || flag.isPerRun) return [key, setting([], flagName(key), 'default')]
    const variable = variableName(section, key)
    const held = environmentVariable(variable)
    if (held !== null) return [key, setting(flag.isRepeatable ? held.split(',') : [held], variable)]
    const stated = config && configTexts(config, section, key, flag)
    if (stated) return [key, setting(stated, `${section}.${key} in ${config.shown}`, config.shown)]
    return [key, setting([], flagName(key), 'default')]

    function setting(given: readonly string[], name: string, from = name): Setting {
      return { value: flag.read(given, name), from }
    }
  })
  return new Map(found)
}

/** The values alone, as a command gets them. */
export const valuesOf = <D extends Declaration>(
  settings: ReadonlyMap<string, Setting>,
): FlagValues<D['flags']> =>
  Object.fromEntries([...settings].map(([key, { value }]) => [key, value])) as FlagValues<
    D['flags']
  >

/** The settings as JSON for people: secrets are hidden. */
export function settingsText(
  { flags }: Declaration,
  settings: ReadonlyMap<string, Setting>,
  config: ConfigFile | null,
): string {
  const shown = [...settings].flatMap(([key, { value = null, from }]) => {
    const { isPerRun = true, isSecret = false } = flags[key] ?? {}
    if (isPerRun) return []
    const seen = isSecret && value !== null ? '(hidden)' : withoutPassword(value)
    return [[key, JSON.stringify({ value: seen, from })]]
  })
  const lines = shown.map(([key, setting]) => `    ${JSON.stringify(key)}: ${setting}`)
  const file = JSON.stringify(config?.path ?? null)
  return `{\n  "file": ${file},\n  "settings": {\n${lines.join(',\n')}\n  }\n}`
}

/** An address without its user and password. */
const withoutPassword = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(\w+:\/\/)[^/@]*@/, '$1(hidden)@') : value

/** `--config` is refused where no file is read. */
export const fileNamed = ({ texts }: CommandLine): string | undefined => {
  const named = texts.get('config')?.at(-1)
  if (named === '') throw new UserError('--config is missing')
  return named
}
