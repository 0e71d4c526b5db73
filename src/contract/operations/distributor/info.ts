import { distributorAccess } from '../../access.ts'
import { C, operation } from '../../operation.ts'
import { DistributorInfo } from '../../records/distributor.ts'

export const info = operation({
  id: 'distributor.info',
  method: 'GET',
  path: '/distributor/info',
  title: 'The distributor itself',
  about: 'Name, level and limits. The secret key is never shown again.',
  source: 'Distributor management; Distributor',
  envelope: C(),
  access: distributorAccess,
  data: DistributorInfo,
  examples: [{ name: 'the caller' }],
  answer: (_ask, _facts, tenant) => tenant.distributor.info(),
})
