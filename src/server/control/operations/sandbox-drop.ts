import { Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { DEFAULT_SANDBOX_ID } from '../../../sandbox/sandbox-config.ts'
import { controlOperation } from '../control-operation.ts'

export const sandboxDrop = controlOperation({
  id: 'sandbox.drop',
  method: 'DELETE',
  path: '/sandboxes/:id',
  endsOthers: true,
  title: 'Drop a sandbox',
  about: 'Closes its connections and removes its state. The default sandbox cannot be dropped.',
  examples: [{ name: 'the one made above', path: { id: 'mine' } }],
  data: Type.Object({ dropped: Type.String() }),
  answer(_, { registry, sandbox }) {
    const { id } = sandbox()
    if (id === DEFAULT_SANDBOX_ID)
      throw new UserError('the default sandbox cannot be dropped; reset it instead')
    registry.drop(id)
    return { dropped: id }
  },
})
