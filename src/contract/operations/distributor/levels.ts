import { distributorAccess } from '../../access.ts'
import { C, operation } from '../../operation.ts'
import { Type } from '../../schema.ts'

export const levels = operation({
  id: 'distributor.levels',
  method: 'GET',
  path: '/distributor/levels',
  title: 'Names of the levels',
  source: 'Distributor management',
  envelope: C(),
  access: distributorAccess,
  data: Type.Array(Type.String({ description: 'name of a level' })),
  examples: [{ name: 'all' }],
  answer: (_ask, _facts, tenant) => tenant.distributor.levels(),
})
