/** What takers do, and what the books hold. */

import { later } from '../../../clock/instant.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { BookSummary, TakerDelta, TakerKline } from '../../../contract/records/flow.ts'
import { subtract, times } from '../../../decimal/quantity.ts'
import { MONEY_DECIMALS, szText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { tradeHoursOf } from '../trade-hours.ts'
import { wideText } from '../wording.ts'
import { bookSummariesOf } from './book-summaries.ts'
import { klinesOf } from './klines.ts'

type Asked = Facts['flow']
type Query<Name extends keyof Asked> = Parameters<Asked[Name]>[0]

export class Flow implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  takerDelta({ coin, windowMs }: Query<'takerDelta'>): TakerDelta {
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
      valDelta: wideText(2n * tally.buyAmount - tally.amount, MONEY_DECIMALS),
    }
  }

  klines(query: Query<'klines'>): TakerKline[] {
    const instrument = this.world.byCoin.get(query.coin)
    return instrument ? klinesOf(this.world, this.moment, instrument, query) : []
  }

  bookSummaries({ coin, windowMs }: Query<'bookSummaries'>): BookSummary[] {
    const instrument = this.world.byCoin.get(coin)
    return instrument ? bookSummariesOf(this.world, this.moment, instrument, windowMs) : []
  }
}
