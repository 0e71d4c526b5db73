import { Type } from '../../../contract/schema.ts'
import { NotFoundError } from '../control-errors.ts'
import { controlOperation } from '../control-operation.ts'
import { ScenarioList, scenarioList } from '../scenario-fields.ts'

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
