import { distributorAccess } from '../access.ts'
import { C } from '../envelope.ts'
import { operation } from '../operation.ts'
import { SubKey, SubKeyPath } from '../records/sub-key.ts'

export const getSubKey = operation({
  id: 'distributor.getSubKey',
  method: 'GET',
  path: '/distributor/sub-keys/:access_key',
  servedWhen: { question: 'sub-key-paths', answer: 'mirrored' },
  title: 'A sub key',
  source: 'Distributor management, rule 6: not shown',
  envelope: C(),
  access: distributorAccess,
  params: { path: SubKeyPath },
  data: SubKey,
  refuses: ['subKeyAbsent'],
  assumed: ["The shape is this sandbox's own."],
  examples: [{ name: 'a key', path: { access_key: 'demo-sub' } }],
  answer: ({ path }, _, tenant) => tenant.distributor.subKey(path.access_key),
})
