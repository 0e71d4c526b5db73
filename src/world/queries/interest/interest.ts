/** Open interest of the perpetual venue: now by coin and in all, and over time. */
import { later, type TapeMs } from '../../../clock/instant.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type {
  CoinInterest,
  InterestPoint,
  InterestSummary,
} from '../../../contract/records/open-interest.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { gridOf, stepOf } from '../grid.ts'
import { tradeHoursOf } from '../trade-hours.ts'
import {
  both,
  countOf,
  EMPTY,
  type Stand,
  standOf,
  stoodSince,
  totalOf,
  written,
} from './stands.ts'

type Asked = Facts['interest']
type Query<Name extends 'topCoins' | 'history'> = Parameters<Asked[Name]>[0]

export class Interest implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  summary(): InterestSummary {
    const stands = this.perps().map((of) => standOf(this.world, of, this.moment.atMs))
    return written(stands.reduce(both, EMPTY))
  }

  topCoins({ windowMs, limit }: Query<'topCoins'>): CoinInterest[] {
    const fromMs = later(this.moment.atMs, -windowMs)
    return this.perps()
      .map((of) => ({ coin: of.coin, stand: this.within(of, fromMs) }))
      .filter(({ stand }) => countOf(stand) > 0)
      .sort((a, b) => compare(totalOf(b.stand), totalOf(a.stand)))
      .slice(0, limit)
      .map(({ coin, stand }) => ({ coin, ...written(stand) }))
  }

  history({ coin, windowMs }: Query<'history'>): InterestPoint[] {
    const of = this.world.byCoin.get(coin)
    const firstMs = of?.kind === 'perp' ? tradeHoursOf(this.world).firstMs(of.id) : null
    const { atMs, answers } = this.moment
    if (!of || firstMs === null || firstMs > atMs) return []
    const least = answers['open-interest-step'] === 'few' ? FEW : FINE
    const fromMs = Math.max(atMs - windowMs, firstMs)
    const times = gridOf(this.moment, stepOf(windowMs, least), fromMs)
    if (times.at(-1) !== atMs) times.push(atMs)
    return times.map((timeMs) => point(of, timeMs, standOf(this.world, of, timeMs)))
  }

  /** What the question `top-coins-window` says. */
  private within(of: InstrumentRow, fromMs: TapeMs): Stand {
    const { world, moment } = this
    if (moment.answers['top-coins-window'] === 'opened')
      return stoodSince(world, of, fromMs, moment.atMs)
    const last = tradeHoursOf(world).lastBefore(of.id, later(moment.atMs, 1))
    return last && last.timeMs > fromMs ? standOf(world, of, moment.atMs) : EMPTY
  }

  private perps(): InstrumentRow[] {
    return this.world.instruments.filter(({ kind }) => kind === 'perp')
  }
}

/** Steps that a window has at least. */
const FEW = 3
const FINE = 24

function point({ coin }: InstrumentRow, time: TapeMs, stand: Stand): InterestPoint {
  const { positionCount, longPv, totalPv, avgPv } = written(stand)
  return { time, coin, positionCount, longCount: stand.longCount, longPv, totalPv, avgPv }
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)
