import { putScenario } from '../../../sandbox/market-events/scenario-coins.ts'
import { controlOperation } from '../control-operation.ts'
import { resolveScenario, ScenarioBody, ScenarioList, scenarioList } from '../scenario-fields.ts'

/** Not a literal in its place: what else a scenario has is not among the declared fields. */
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
