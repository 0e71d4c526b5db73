/** Derivatives of all exchanges: history, present and books of pairs. */
import type {
  EstimatedLiquidationQuery,
  FuturesFacts,
  HistoryQuery,
  OpenInterestListQuery,
} from '../../../contract/facts/futures.ts'
import type { Moment } from '../../../contract/facts.ts'
import { aggregateOf, contractOf, perpOfCoin } from '../../exchanges/contracts.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { fullDepthOf, groupedDepthOf, latestDepthOf } from './depth.ts'
import { estimatedLiquidationsOf } from './estimated-liquidations.ts'
import { fundingRatesOf, weightedFundingRatesOf } from './funding-rates.ts'
import { liquidationHistoryOf } from './liquidation-history.ts'
import { coinMarginOpenInterest, stablecoinOpenInterest } from './open-interest.ts'
import { openInterestListOf } from './open-interest-list.ts'

export class FuturesQueries implements FuturesFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  latestDepth(dbKey: string, size: number) {
    return latestDepthOf(this.world, this.moment.atMs, dbKey, size)
  }

  fullDepth(dbKey: string) {
    return fullDepthOf(this.world, this.moment.atMs, dbKey)
  }

  groupedDepth(dbKey: string, groupSize: number) {
    return groupedDepthOf(this.world, this.moment.atMs, dbKey, groupSize)
  }

  fundingRates(query: HistoryQuery) {
    const contract = contractOf(this.world, query.symbol)
    if (!contract || this.isUncovered(contract.instrument, query)) return contract && []
    return fundingRatesOf(this.world, this.moment, contract, query)
  }

  weightedFundingRates(query: HistoryQuery) {
    const perp = aggregateOf(this.world, query.symbol)
    if (!perp || this.isUncovered(perp, query)) return perp && []
    return weightedFundingRatesOf(this.world, this.moment, perp, query)
  }

  stablecoinOpenInterest(query: HistoryQuery) {
    const perp = perpOfCoin(this.world, query.symbol)
    if (!perp || this.isUncovered(perp)) return perp && []
    return stablecoinOpenInterest(this.world, this.moment, perp, query)
  }

  coinMarginOpenInterest(query: HistoryQuery) {
    const perp = perpOfCoin(this.world, query.symbol)
    return perp && coinMarginOpenInterest(this.world, this.moment, perp, query)
  }

  liquidations(query: HistoryQuery) {
    const contract = contractOf(this.world, query.symbol)
    return contract && liquidationHistoryOf(this.world, this.moment, contract, query)
  }

  *estimatedLiquidations(query: EstimatedLiquidationQuery) {
    const contract = contractOf(this.world, query.symbol)
    return contract && (yield* estimatedLiquidationsOf(this.world, this.moment, contract, query))
  }

  openInterestList(query: OpenInterestListQuery) {
    return openInterestListOf(this.world, this.moment, query)
  }

  /** Whether the service was seen to have no rows here (question `history-coverage`). */
  private isUncovered({ base }: InstrumentRow, funding?: HistoryQuery): boolean {
    if (this.moment.answers['history-coverage'] === 'all') return false
    return base !== 'BTC' || (funding !== undefined && !KNOWN_INTERVALS.includes(funding.interval))
  }
}

/** Intervals of funding rates that were seen to have rows. */
const KNOWN_INTERVALS = ['5m', '15m', '30m', '8h']
