/** Derivatives of all exchanges: history and present (spec, Futures, index and coin data). */
import type {
  EstimateQuery,
  HistoryQuery,
  InterestsQuery,
} from '../../../contract/facts/derivatives.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { aggregateOf, coinOf, contractOf } from './contracts.ts'
import { estimatesOf } from './estimates.ts'
import { fundingOf, weightedFundingOf } from './funding.ts'
import { coinMarginInterest, stablecoinInterest } from './interest.ts'
import { interestsOf } from './interests.ts'
import { liquidationsOf } from './liquidations.ts'

type Asked = Facts['derivatives']

export class Derivatives implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  funding(query: HistoryQuery) {
    const contract = contractOf(this.world, query.symbol)
    if (!contract || this.isUncovered(contract.instrument, query)) return contract && []
    return fundingOf(this.world, this.moment, contract, query)
  }

  weightedFunding(query: HistoryQuery) {
    const perp = aggregateOf(this.world, query.symbol)
    if (!perp || this.isUncovered(perp, query)) return perp && []
    return weightedFundingOf(this.world, this.moment, perp, query)
  }

  stablecoinInterest(query: HistoryQuery) {
    const perp = coinOf(this.world, query.symbol)
    if (!perp || this.isUncovered(perp)) return perp && []
    return stablecoinInterest(this.world, this.moment, perp, query)
  }

  coinMarginInterest(query: HistoryQuery) {
    const perp = coinOf(this.world, query.symbol)
    return perp && coinMarginInterest(this.world, this.moment, perp, query)
  }

  liquidations(query: HistoryQuery) {
    const contract = contractOf(this.world, query.symbol)
    return contract && liquidationsOf(this.world, this.moment, contract, query)
  }

  estimatedLiquidations(query: EstimateQuery) {
    const contract = contractOf(this.world, query.symbol)
    return contract && estimatesOf(this.world, this.moment, contract, query)
  }

  interests(query: InterestsQuery) {
    return interestsOf(this.world, this.moment, query)
  }

  /** Whether the service was seen to have no rows here (question `history-coverage`). */
  private isUncovered({ base }: InstrumentRow, funding?: HistoryQuery): boolean {
    if (this.moment.answers['history-coverage'] === 'all') return false
    return base !== 'BTC' || (funding !== undefined && !SEEN.includes(funding.interval))
  }
}

/** Intervals of funding rates that were seen to have rows. */
const SEEN = ['5m', '15m', '30m', '8h']
