import { Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { controlOperation } from '../control-operation.ts'
import { findKey } from '../key-lookup.ts'
import { KeyView, keyView } from '../key-records.ts'

const count = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12, description }))

export const usageSet = controlOperation({
  id: 'usage.set',
  method: 'PUT',
  path: '/sandboxes/:id/keys/:key/usage',
  title: "Set a key's usage of this month",
  about: 'Give either the used requests, or the remaining requests of its quota.',
  params: {
    body: Type.Object({ used: count('requests used'), remaining: count('requests left') }),
  },
  examples: [{ name: 'three requests are left', body: { remaining: 3 } }],
  data: KeyView,
  answer({ body: { used, remaining } }, { sandbox, pathParameter }) {
    const found = sandbox()
    const { tenancy, clock } = found
    const key = findKey(found, pathParameter('key'))
    if ((used === undefined) === (remaining === undefined))
      throw new UserError('give one of used and remaining')
    const quota = tenancy.limitsOf(key).monthlyQuota
    if (remaining !== undefined && (quota === null || remaining > quota))
      throw new UserError(`remaining must be at most the key's quota, which is ${quota ?? 'none'}`)
    tenancy.setUsed(key, clock.nowMs(), used ?? (quota as number) - (remaining as number))
    return keyView(found, key)
  },
})
