import { VenuePortfolio } from '../records/portfolio.ts'
import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const portfolio = infoType({
  type: 'portfolio',
  title: 'Value, PnL and volume of an account over time',
  request: Type.Object({ user: Address() }),
  data: VenuePortfolio,
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => facts.users.portfolio(user),
})
