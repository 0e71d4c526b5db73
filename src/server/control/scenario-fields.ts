/** Scenarios as the control plane takes and shows them. */

import type { Slices } from '../../clock/turns.ts'
import { type Static, Type } from '../../contract/schema.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Scenario } from '../../sandbox/scenario/scenario.ts'
import type { ScenarioLibrary } from '../../sandbox/scenario/scenario-library.ts'
import { scenarioOf } from '../../sandbox/scenario/scenario-parser.ts'

/** One of the library by its name, or another one in full. */
export const ScenarioBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({ description: 'a name in the library, or the name of your own scenario' }),
    ),
    title: Type.Optional(Type.String({ description: 'short description of your own scenario' })),
  },
  {
    title: 'Scenario',
    additionalProperties: true,
    description: '`{name}`, or a scenario: `{title, rules: [{on, do, from, for, every}], …}`',
  },
)

/** The scenario of a body; a UserError for an unknown name or a flaw, with its field. */
export function* resolveScenario(given: unknown, library: ScenarioLibrary): Slices<Scenario> {
  if (typeof given === 'string') return library(given)
  if (typeof given !== 'object' || given === null)
    throw new UserError('a scenario is a name, or an object with title and rules')
  const { name, ...rest } = given as Record<string, unknown>
  if (Object.keys(rest).length === 0 && typeof name === 'string') return library(name)
  if (typeof name === 'string' && isNamed(library, name))
    throw new UserError(
      `"${name}" is a scenario of the library: send only its name, or give your own another name`,
    )
  return yield* scenarioOf(rest, typeof name === 'string' ? name : 'inline')
}

function isNamed(library: ScenarioLibrary, name: string): boolean {
  try {
    library(name)
    return true
  } catch {
    return false
  }
}

export const ScenarioList = Type.Object(
  {
    scenarios: Type.Array(
      Type.Object({
        name: Type.String(),
        title: Type.String(),
        guidance: Type.Optional(Type.String({ description: 'what a client must cope with' })),
        since: Type.Integer({ description: 'session time when it was switched on, ms' }),
        rules: Type.Array(Type.String(), { description: 'names of its rules in the journal' }),
      }),
      { description: 'active scenarios, in the order in which they act' },
    ),
  },
  { title: 'ActiveScenarios' },
)

export const scenarioList = ({ faultInjection }: Sandbox): Static<typeof ScenarioList> => ({
  scenarios: faultInjection.activeScenarios.map(({ scenario, startedAt }) => ({
    name: scenario.name,
    title: scenario.title,
    ...(scenario.guidance === undefined ? {} : { guidance: scenario.guidance }),
    since: Math.floor(startedAt.sessionMs),
    rules: scenario.rules.map(({ name }) => name),
  })),
})
