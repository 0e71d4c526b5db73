/** Scenarios by name, independent of their storage. */
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Scenario } from './scenario.ts'

/** Finds a scenario by its name, and lists the known names. */
export interface ScenarioLibrary {
  (name: string): Scenario
  names(): readonly string[]
}

/**
 * A library that reads a scenario of a list on request.
 *
 * @param read reads the scenario of a listed name
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

/** A library without scenarios. */
export const NO_SCENARIOS = listedScenarios(
  () => [],
  (name) => {
    throw new UserError(`there is no scenario ${name}`)
  },
)
