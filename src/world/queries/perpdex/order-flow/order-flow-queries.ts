/** What takers do, and what the books hold. */

import { later } from '../../../../clock/instant.ts'
import type { OrderFlowFacts } from '../../../../contract/facts/perpdex/order-flow.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  BookSummary,
  TakerDelta,
  TakerKline,
} from '../../../../contract/records/order-flow.ts'
import { subtract, times } from '../../../../decimal/quantity.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import { MONEY_DECIMALS, szText } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { bookSummariesOf } from './book-summaries.ts'
import { takerKlinesOf } from './taker-klines.ts'

export class OrderFlowQueries implements OrderFlowFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  takerDelta({ coin, windowMs }: Parameters<OrderFlowFacts['takerDelta']>[0]): TakerDelta {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return { szDelta: '0', valDelta: '0' }
    const { atMs } = this.moment
    const tally = tradeHoursOf(this.world).tally(
      instrument.id,
      later(atMs, 1 - windowMs),
      later(atMs, 1),
    )
    return {
      szDelta: szText(instrument, subtract(times(tally.buySize, 2), tally.size)),
      valDelta: bigintText(2n * tally.buyAmount - tally.amount, MONEY_DECIMALS),
    }
  }

  klines(query: Parameters<OrderFlowFacts['klines']>[0]): TakerKline[] {
    const instrument = this.world.byCoin.get(query.coin)
    return instrument ? takerKlinesOf(this.world, this.moment, instrument, query) : []
  }

  bookSummaries({ coin, windowMs }: Parameters<OrderFlowFacts['bookSummaries']>[0]): BookSummary[] {
    const instrument = this.world.byCoin.get(coin)
    return instrument ? bookSummariesOf(this.world, this.moment, instrument, windowMs) : []
  }
}
