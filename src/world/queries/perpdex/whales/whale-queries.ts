/** Whales: positions worth more than 1,000,000 USD. */
import type { Slices } from '../../../../clock/turns.ts'
import type { WhaleQuery, WhalesFacts } from '../../../../contract/facts/perpdex/whales.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { WhaleDirections, WhaleEvent, WhaleRatio } from '../../../../contract/records/whale.ts'
import type { World } from '../../../world.ts'
import { longShortRatios } from './long-short-ratios.ts'
import { whalePositionsOf } from './open-positions.ts'
import { whalesAt } from './open-whales.ts'
import { whaleEventsOf } from './whale-events.ts'

export class WhaleQueries implements WhalesFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  openPositions(query: WhaleQuery) {
    return whalePositionsOf(this.world, this.moment, query)
  }

  *latestEvents({ coin, limit }: Parameters<WhalesFacts['latestEvents']>[0]): Slices<WhaleEvent[]> {
    const isHeeded = coin !== undefined && this.moment.answers['whale-event-coin'] === 'filtered'
    const instrument = isHeeded ? this.world.byCoin.get(coin) : null
    if (instrument === undefined) return []
    return yield* whaleEventsOf(this.world, this.moment, instrument, limit)
  }

  directions({ coin }: Parameters<WhalesFacts['directions']>[0]): WhaleDirections {
    const whales = whalesAt(this.world, this.moment.atMs).filter(
      ({ instrument }) => coin === undefined || instrument.coin === coin,
    )
    const longCount = whales.filter(({ direction }) => direction === 'long').length
    return { longCount, shortCount: whales.length - longCount }
  }

  *longRatios({
    intervalMs,
    limit,
  }: Parameters<WhalesFacts['longRatios']>[0]): Slices<WhaleRatio[]> {
    const ratios = yield* longShortRatios(this.world, this.moment, intervalMs, limit)
    return this.moment.answers['whale-ratio-order'] === 'oldest' ? ratios : ratios.reverse()
  }
}
