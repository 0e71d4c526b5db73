/** Scenarios by name, wherever they are kept. */
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Scenario } from './scenario.ts'

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
