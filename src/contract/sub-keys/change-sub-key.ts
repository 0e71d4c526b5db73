import { distributorAccess } from '../access.ts'
import { C } from '../envelope.ts'
import { operation } from '../operation.ts'
import { Quota, SubKey, SubKeyPath } from '../records/sub-key.ts'
import { OneOf, Type } from '../schema.ts'

export const changeSubKey = operation({
  id: 'distributor.changeSubKey',
  method: 'PUT',
  path: '/distributor/sub-keys/:access_key',
  servedWhen: { question: 'sub-key-paths', answer: 'mirrored' },
  title: 'Change a sub key',
  source: 'Distributor management, rule 6: not shown',
  envelope: C('sub key saved'),
  access: distributorAccess,
  params: {
    path: SubKeyPath,
    body: Type.Object({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'for whom' })),
      level: Type.Optional(Type.String({ description: 'a level that exists' })),
      monthly_quota: Type.Optional(Quota),
      status: Type.Optional(OneOf(['active', 'disabled'], 'whether it is let in')),
    }),
  },
  data: SubKey,
  changes: true,
  refuses: ['subKey', 'subKeyAbsent'],
  assumed: ["The shape is this sandbox's own."],
  examples: [{ name: 'disabled', path: { access_key: 'demo-sub' }, body: { status: 'disabled' } }],
  answer: ({ path, body }, _, tenant) => tenant.distributor.changeSubKey(path.access_key, body),
})
