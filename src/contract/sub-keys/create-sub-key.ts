import { distributorAccess } from '../access.ts'
import { C } from '../envelope.ts'
import { operation } from '../operation.ts'
import { NewSubKey, Quota } from '../records/sub-key.ts'
import { Type } from '../schema.ts'

export const createSubKey = operation({
  id: 'distributor.createSubKey',
  method: 'POST',
  path: '/distributor/sub-keys',
  servedWhen: { question: 'sub-key-paths', answer: 'mirrored' },
  title: 'Make a sub key',
  source: 'Distributor management, rule 6: not shown',
  envelope: C('sub key created'),
  access: distributorAccess,
  params: {
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 100, description: 'for whom' }),
      level: Type.String({ description: 'a level that exists' }),
      monthly_quota: Type.Optional(Quota),
    }),
  },
  data: NewSubKey,
  changes: true,
  refuses: ['subKey'],
  assumed: ["The shape is this sandbox's own."],
  examples: [{ name: 'a customer', body: { name: 'ann', level: 'basic' } }],
  answer: ({ body }, _, tenant) => tenant.distributor.createSubKey(body),
})
