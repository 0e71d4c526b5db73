import { distributorAccess } from '../access.ts'
import { C } from '../envelope.ts'
import { operation } from '../operation.ts'
import { SubKey } from '../records/sub-key.ts'
import { Limit, Type } from '../schema.ts'

export const listSubKeys = operation({
  id: 'distributor.listSubKeys',
  method: 'GET',
  path: '/distributor/sub-keys',
  servedWhen: { question: 'sub-key-paths', answer: 'mirrored' },
  title: 'Sub keys',
  source: 'Distributor management, rule 6: not shown',
  envelope: C(),
  access: distributorAccess,
  params: {
    query: Type.Object({
      page: Type.Integer({ minimum: 1, default: 1, description: 'from 1' }),
      page_size: Limit({ default: 20, max: 100 }),
    }),
  },
  data: Type.Array(SubKey),
  refuses: [],
  assumed: ["The shape is this sandbox's own."],
  examples: [{ name: 'first page', query: { page: '1' } }],
  answer: ({ query }, _, tenant) => tenant.distributor.subKeys(query.page, query.page_size),
})
