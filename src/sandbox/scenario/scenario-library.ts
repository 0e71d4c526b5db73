/** The scenarios of a folder, by name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Scenario } from './scenario.ts'
import { listedScenarios, type ScenarioLibrary } from './scenario-list.ts'
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

/** The scenarios of a folder; names are looked up in its list, so that none leads out of it. */
export const scenarioLibrary = (folder: string): ScenarioLibrary =>
  listedScenarios(
    () => scenarioNames(folder),
    (name) => readScenarioFile(scenarioFile(folder, name)),
  )

/** The file of a scenario in the folder. */
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

/** Reads a scenario from any file. */
export function readScenarioFile(file: string): Scenario {
  const name = path.basename(file).replace(YAML_SUFFIX, '')
  return parseScenarioYaml(name, file, readFileSync(file, 'utf8'))
}
