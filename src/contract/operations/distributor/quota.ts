import { distributorAccess } from '../../access.ts'
import { C, operation } from '../../operation.ts'
import { QuotaSummary } from '../../records/distributor.ts'

export const quota = operation({
  id: 'distributor.quota',
  method: 'GET',
  path: '/distributor/quota',
  title: 'Requests of this month',
  about:
    'The quota that is contracted, allocated to sub keys, used by them and left, by calendar ' +
    'month.',
  source: 'Distributor management; Quota summary',
  envelope: C(),
  access: distributorAccess,
  data: QuotaSummary,
  assumed: ["A month is the calendar's, in UTC."],
  examples: [{ name: 'the caller' }],
  answer: (_ask, _facts, tenant) => tenant.distributor.quota(),
})
