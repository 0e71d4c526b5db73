/** The scenarios of a folder, by name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Complaint } from '../complaint.ts'
import { scenarioOfYaml } from './reading.ts'
import type { Scenario } from './scenario.ts'

const ENDING = /\.ya?ml$/

/** Finds a scenario by the name of its file, without its ending. */
export type Shelf = (name: string) => Scenario

/** Names of the scenarios in a folder. */
export const namesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => ENDING.test(file))
        .map((file) => file.replace(ENDING, ''))
        .sort()
    : []

/** The scenarios of a folder; a name is looked for in its list, so that none leads out of it. */
export const shelfOf =
  (folder: string): Shelf =>
  (name) => {
    const names = namesIn(folder)
    if (!names.includes(name))
      throw new Complaint(
        `there is no scenario "${name.slice(0, 100)}"; there are ${names.join(', ')}`,
      )
    const file = readdirSync(folder).find((one) => one.replace(ENDING, '') === name) as string
    return scenarioFile(path.join(folder, file))
  }

/** A scenario out of a file anywhere. */
export function scenarioFile(file: string): Scenario {
  const name = path.basename(file).replace(ENDING, '')
  return scenarioOfYaml(name, file, readFileSync(file, 'utf8'))
}
