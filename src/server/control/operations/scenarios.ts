/** Control calls about scenarios, and their schemas. */

import type { Slices } from '../../../clock/turns.ts'
import { type Static, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { putScenario } from '../../../sandbox/market-events/scenario-coins.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { Scenario } from '../../../sandbox/scenario/scenario.ts'
import type { ScenarioLibrary } from '../../../sandbox/scenario/scenario-list.ts'
import { scenarioOf } from '../../../sandbox/scenario/scenario-parser.ts'
import { NotFoundError } from '../control-call.ts'
import { controlOperation } from '../control-operation.ts'

// Scenarios as the control plane takes and shows them.

/** A scenario of the library by name, or another one in full. */
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

/** The scenario of a body; a UserError for an unknown name or an invalid field. */
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

const scenarioList = ({ faultInjection }: Sandbox): Static<typeof ScenarioList> => ({
  scenarios: faultInjection.activeScenarios.map(({ scenario, startedAt }) => ({
    name: scenario.name,
    title: scenario.title,
    ...(scenario.guidance === undefined ? {} : { guidance: scenario.guidance }),
    since: Math.floor(startedAt.sessionMs),
    rules: scenario.rules.map(({ name }) => name),
  })),
})

export const scenarioSet = controlOperation({
  id: 'scenario.set',
  method: 'PUT',
  path: '/sandboxes/:id/scenario',
  movesTime: true,
  title: 'Switch a scenario on instead of all others',
  about: 'Its times count from now. An invalid scenario changes nothing.',
  params: { body: ScenarioBody },
  examples: [{ name: 'from the library', body: { name: 'maintenance' } }],
  data: ScenarioList,
  *answer({ body }, { sandbox, registry }) {
    const found = sandbox()
    const scenario = yield* resolveScenario(body, registry.library)
    yield* putScenario(found, scenario, (settled) => found.faultInjection.set(settled))
    return scenarioList(found)
  },
})

/** Not a literal in place: the other fields of a scenario are not declared. */
const LATE = { title: 'Late', rules: [{ do: { delay: { ms: 500 } } }] }

export const scenarioAdd = controlOperation({
  id: 'scenario.add',
  method: 'POST',
  path: '/sandboxes/:id/scenario',
  movesTime: true,
  title: 'Add a scenario',
  about: 'Its times count from now. Its rules act after those of the other active scenarios.',
  params: { body: ScenarioBody },
  examples: [
    { name: 'from the library', body: { name: 'stale-book' } },
    { name: 'in full', body: LATE },
  ],
  data: ScenarioList,
  *answer({ body }, { sandbox, registry }) {
    const found = sandbox()
    const scenario = yield* resolveScenario(body, registry.library)
    yield* putScenario(found, scenario, (settled) => found.faultInjection.add(settled))
    return scenarioList(found)
  },
})

export const scenarioGet = controlOperation({
  id: 'scenario.get',
  method: 'GET',
  path: '/sandboxes/:id/scenario',
  title: 'The active scenarios',
  data: ScenarioList,
  answer: (_, { sandbox }) => scenarioList(sandbox()),
})

export const scenarioClear = controlOperation({
  id: 'scenario.clear',
  method: 'DELETE',
  path: '/sandboxes/:id/scenario',
  movesTime: true,
  title: 'Remove scenarios',
  about: 'Removes all scenarios, or those with this name. The others continue unchanged.',
  params: { query: Type.Object({ name: Type.Optional(Type.String()) }) },
  examples: [{ name: 'one of them', query: { name: 'maintenance' } }, { name: 'all' }],
  data: ScenarioList,
  answer({ query: { name } }, { sandbox }) {
    const found = sandbox()
    found.player.catchUp()
    if (!found.faultInjection.remove(name) && name !== undefined)
      throw new NotFoundError(`no scenario "${name}" is on`)
    return scenarioList(found)
  },
})

export const scenarioLibrary = controlOperation({
  id: 'scenario.library',
  method: 'GET',
  path: '/scenarios',
  title: 'The scenarios of the library',
  about: 'You can switch each on by its name, or send a changed copy of its `source`.',
  data: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        title: Type.String({ description: 'short description' }),
        guidance: Type.Optional(Type.String({ description: 'what a client must cope with' })),
        source: Type.Unknown({ description: 'its text: `{title, rules, …}`' }),
      },
      { title: 'LibraryScenario' },
    ),
  ),
  *answer(_, { registry: { library } }) {
    const found = []
    for (const name of library.names()) {
      const { title, guidance, source } = library(name)
      found.push({ name, title, ...(guidance === undefined ? {} : { guidance }), source })
      yield
    }
    return found
  },
})
