import { controlOperation } from '../operation.ts'
import { ScenarioBody, ScenarioList, scenarioList, scenarioMeant } from '../scenario-fields.ts'

export const scenarioSet = controlOperation({
  id: 'scenario.set',
  method: 'PUT',
  path: '/sandboxes/:id/scenario',
  title: 'Put a scenario on, in the place of all others',
  about: 'Its times count from now. One that cannot be read changes nothing.',
  params: { body: ScenarioBody },
  data: ScenarioList,
  answer({ body }, { sandbox, registry }) {
    const found = sandbox()
    const scenario = scenarioMeant(body, registry.shelf)
    found.player.catchUp()
    found.trouble.clear()
    found.trouble.put(scenario)
    return scenarioList(found)
  },
})
