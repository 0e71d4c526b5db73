/** The scenarios of a folder, by name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { unknownText } from '../suggestion/nearest-name.ts'
import { UserError } from '../user-error.ts'
import type { Scenario } from './scenario.ts'
import { parseScenarioYaml } from './scenario-parser.ts'

const YAML_SUFFIX = /\.ya?ml$/

/** Finds a scenario by the name of its file, without its ending. */
export type ScenarioLibrary = (name: string) => Scenario

/** Names of the scenarios in a folder. */
export const scenarioNames = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => YAML_SUFFIX.test(file))
        .map((file) => file.replace(YAML_SUFFIX, ''))
        .sort()
    : []

/** The scenarios of a folder; a name is looked for in its list, so that none leads out of it. */
export const scenarioLibrary =
  (folder: string): ScenarioLibrary =>
  (name) => {
    const names = scenarioNames(folder)
    if (!names.includes(name)) throw new UserError(unknownText('scenario', name, names))
    const file = readdirSync(folder).find((one) => one.replace(YAML_SUFFIX, '') === name) as string
    return readScenarioFile(path.join(folder, file))
  }

/** A scenario out of a file anywhere. */
export function readScenarioFile(file: string): Scenario {
  const name = path.basename(file).replace(YAML_SUFFIX, '')
  return parseScenarioYaml(name, file, readFileSync(file, 'utf8'))
}
