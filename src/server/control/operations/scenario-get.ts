import { controlOperation } from '../control-operation.ts'
import { ScenarioList, scenarioList } from '../scenario-fields.ts'

export const scenarioGet = controlOperation({
  id: 'scenario.get',
  method: 'GET',
  path: '/sandboxes/:id/scenario',
  title: 'The active scenarios',
  data: ScenarioList,
  answer: (_, { sandbox }) => scenarioList(sandbox()),
})
