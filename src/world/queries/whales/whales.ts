/** Whales: positions worth more than 1,000,000 USD. */
import type { WhaleQuery } from '../../../contract/facts/whales.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { WhaleDirections, WhaleEvent, WhaleRatio } from '../../../contract/records/whale.ts'
import type { World } from '../../world.ts'
import { eventsOf } from './events.ts'
import { openPositionsOf } from './open-positions.ts'
import { ratiosOf } from './ratios.ts'
import { whalesAt } from './standing.ts'

type Asked = Facts['whales']
type Query<Name extends keyof Asked> = Parameters<Asked[Name]>[0]

export class Whales implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  openPositions(query: WhaleQuery) {
    return openPositionsOf(this.world, this.moment, query)
  }

  latestEvents({ coin, limit }: Query<'latestEvents'>): WhaleEvent[] {
    const isHeeded = coin !== undefined && this.moment.answers['whale-event-coin'] === 'filtered'
    const instrument = isHeeded ? this.world.byCoin.get(coin) : null
    return instrument === undefined ? [] : eventsOf(this.world, this.moment, instrument, limit)
  }

  directions({ coin }: Query<'directions'>): WhaleDirections {
    const whales = whalesAt(this.world, this.moment.atMs).filter(
      ({ instrument }) => coin === undefined || instrument.coin === coin,
    )
    const longCount = whales.filter(({ direction }) => direction === 'long').length
    return { longCount, shortCount: whales.length - longCount }
  }

  longRatios({ intervalMs, limit }: Query<'longRatios'>): WhaleRatio[] {
    const ratios = ratiosOf(this.world, this.moment, intervalMs, limit)
    return this.moment.answers['whale-ratio-order'] === 'oldest' ? ratios : ratios.reverse()
  }
}
