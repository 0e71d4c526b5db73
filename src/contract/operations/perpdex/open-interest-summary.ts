import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { InterestSummary } from '../../records/asset-context.ts'

export const openInterestSummary = operation({
  id: 'perpdex.openInterestSummary',
  method: 'GET',
  path: '/hl/open-interest/summary',
  title: 'Open interest of the venue',
  about: 'The number of open perpetual positions, and their value at the mark price.',
  source: 'Action map; fields by public documentation',
  envelope: B(),
  access: permission('HL_OPEN_INTEREST_SUMMARY'),
  data: InterestSummary,
  assumed: ['Every position has a counterpart, so long and short have the same value.'],
  examples: [{ name: 'now' }],
  answer: (_, facts) => facts.openInterest.summary(),
})
