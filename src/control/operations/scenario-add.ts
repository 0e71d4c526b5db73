import { controlOperation } from '../operation.ts'
import { ScenarioBody, ScenarioList, scenarioList, scenarioMeant } from '../scenario-fields.ts'

export const scenarioAdd = controlOperation({
  id: 'scenario.add',
  method: 'POST',
  path: '/sandboxes/:id/scenario',
  title: 'Put a scenario on top of those that are on',
  about: 'Its times count from now; its rules act after those of the others.',
  params: { body: ScenarioBody },
  data: ScenarioList,
  answer({ body }, { sandbox, registry }) {
    const found = sandbox()
    const scenario = scenarioMeant(body, registry.shelf)
    found.player.catchUp()
    found.trouble.put(scenario)
    return scenarioList(found)
  },
})
