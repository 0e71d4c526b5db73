import { distributorAccess } from '../access.ts'
import { C } from '../envelope.ts'
import { operation } from '../operation.ts'
import { SubKeyPath } from '../records/sub-key.ts'
import { Type } from '../schema.ts'

export const deleteSubKey = operation({
  id: 'distributor.deleteSubKey',
  method: 'DELETE',
  path: '/distributor/sub-keys/:access_key',
  servedWhen: { question: 'sub-key-paths', answer: 'mirrored' },
  title: 'Delete a sub key',
  source: 'Distributor management, rule 6: not shown',
  envelope: C('sub key deleted', { data: false }),
  access: distributorAccess,
  params: { path: SubKeyPath },
  data: Type.Null(),
  changes: true,
  refuses: ['subKeyAbsent'],
  assumed: ["The shape is this sandbox's own."],
  examples: [{ name: 'a key', path: { access_key: 'demo-bare' } }],
  answer: ({ path }, _, tenant) => tenant.distributor.deleteSubKey(path.access_key),
})
