import { putScenario } from '../../../sandbox/market-events/scenario-coins.ts'
import { controlOperation } from '../control-operation.ts'
import { resolveScenario, ScenarioBody, ScenarioList, scenarioList } from '../scenario-fields.ts'

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
