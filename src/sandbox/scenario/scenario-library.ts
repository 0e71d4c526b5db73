/** The scenarios of a folder, by name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Scenario } from './scenario.ts'
import { parseScenarioYaml } from './scenario-parser.ts'

const YAML_SUFFIX = /\.ya?ml$/

/** Names of the scenarios in a folder. */
export const scenarioNames = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => YAML_SUFFIX.test(file))
        .map((file) => file.replace(YAML_SUFFIX, ''))
        .sort()
    : []

/** The scenarios of a folder; a name is looked for in its list, so that none leads out of it. */
export const scenarioLibrary = (folder: string): ScenarioLibrary =>
  listedScenarios(
    () => scenarioNames(folder),
    (name) => readScenarioFile(scenarioFile(folder, name)),
  )

/** The file of a scenario that is in the folder. */
const scenarioFile = (folder: string, name: string) =>
  path.join(
    folder,
    readdirSync(folder).find((one) => one.replace(YAML_SUFFIX, '') === name) as string,
  )

/** The texts of the scenarios of a folder, by name. */
export const scenarioLibraryTexts = (folder: string): Record<string, string> =>
  Object.fromEntries(
    scenarioNames(folder).map((name) => [name, readFileSync(scenarioFile(folder, name), 'utf8')]),
  )

/** A scenario out of a file anywhere. */
export function readScenarioFile(file: string): Scenario {
  const name = path.basename(file).replace(YAML_SUFFIX, '')
  return parseScenarioYaml(name, file, readFileSync(file, 'utf8'))
}

// Scenarios by name, wherever they are kept.

/** Finds a scenario by its name, and says which names there are. */
export interface ScenarioLibrary {
  (name: string): Scenario
  names(): readonly string[]
}

/**
 * The scenarios of a list, which is read when one is asked for.
 *
 * @param read the scenario of a name that is in the list
 */
export function listedScenarios(
  list: () => readonly string[],
  read: (name: string) => Scenario,
): ScenarioLibrary {
  const find = (name: string) => {
    const names = list()
    if (!names.includes(name)) throw new UserError(unknownText('scenario', name, names))
    return read(name)
  }
  return Object.assign(find, { names: list })
}

/** A library without any. */
export const NO_SCENARIOS = listedScenarios(
  () => [],
  (name) => {
    throw new UserError(`there is no scenario ${name}`)
  },
)
