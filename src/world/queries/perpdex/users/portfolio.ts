/** Value, PnL and volume of an account over the venue's windows. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { later, type TapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { PortfolioWindow, VenuePortfolio } from '../../../../contract/records/portfolio.ts'
import { spanMs } from '../../../../contract/span.ts'
import { add, raw, subtract, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { bigintText, NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { perWorld } from '../../../per-world.ts'
import { equityAt, firstActivityMs, type TraderEquity } from '../../../rows/account-equity.ts'
import { columns } from '../../../rows/columns.ts'
import { type Trader, tradersOf } from '../../../rows/traders.ts'
import { fill, instrument, MONEY_DECIMALS, usdText } from '../../../schema.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world.ts'

/** Length of each window, and the distance of its points; null for everything. */
const WINDOWS = [
  { length: '1d', step: '2h' },
  { length: '7d', step: '3h' },
  { length: '30d', step: '12h' },
  { length: null, step: '12h' },
] as const

/** Points lie on the clock that clients are shown; the last is the present. */
export function portfolioOf(world: World, moment: Moment, address: string): VenuePortfolio {
  const trader = tradersOf(world).find(address)
  const begunMs = trader && firstActivityMs(world, trader)
  const isKnown = begunMs !== undefined && begunMs !== null && begunMs <= moment.atMs
  const curves = WINDOWS.map((window) => {
    if (!trader || !isKnown) return { perp: EMPTY, all: EMPTY }
    const fromMs = window.length === null ? begunMs : later(moment.atMs, -spanMs(window.length))
    return portfolioCurves(world, moment, trader, fromMs, spanMs(window.step))
  })
  const [day, week, month, ever] = curves as [
    PortfolioCurves,
    PortfolioCurves,
    PortfolioCurves,
    PortfolioCurves,
  ]
  return [
    ['day', day.all],
    ['week', week.all],
    ['month', month.all],
    ['allTime', ever.all],
    ['perpDay', day.perp],
    ['perpWeek', week.perp],
    ['perpMonth', month.perp],
    ['perpAllTime', ever.perp],
  ]
}

interface PortfolioCurves {
  perp: PortfolioWindow
  all: PortfolioWindow
}

const EMPTY: PortfolioWindow = { accountValueHistory: [], pnlHistory: [], vlm: '0.0' }

function portfolioCurves(
  world: World,
  { atMs, shiftMs }: Moment,
  trader: Trader,
  fromMs: TapeMs,
  stepMs: number,
): PortfolioCurves {
  const points: Valued[] = []
  // The first point is the one from which the window could begin to count.
  const firstPointMs = wholeStep(fromMs, shiftMs, stepMs)
  for (let timeMs = firstPointMs; timeMs < atMs; timeMs = later(timeMs, stepMs))
    points.push({ timeMs, worth: equityAt(world, trader, { atMs: timeMs, shiftMs }) })
  points.push({ timeMs: atMs, worth: equityAt(world, trader, { atMs, shiftMs }) })
  const rows = volumes(world).all(trader.id, fromMs, atMs)
  const volumeOf = (market: 'perp' | 'spot') =>
    BigInt(raw(rows.find(({ kind }) => kind === market)?.volume ?? ZERO))
  return {
    perp: windowOf(
      points,
      (one) => one.perp,
      (one) => one.perpIn,
      volumeOf('perp'),
    ),
    all: windowOf(
      points,
      (one) => add(one.perp, one.spot),
      (one) => one.allIn,
      volumeOf('perp') + volumeOf('spot'),
    ),
  }
}

interface Valued {
  timeMs: TapeMs
  worth: TraderEquity
}

function windowOf(
  points: readonly Valued[],
  value: (worth: TraderEquity) => Usd,
  broughtIn: (worth: TraderEquity) => Usd,
  volume: bigint,
): PortfolioWindow {
  const gain = (worth: TraderEquity) => subtract(value(worth), broughtIn(worth))
  const first: Usd = points[0] ? gain(points[0].worth) : ZERO
  const text = (money: Usd) => usdText(money, NATIVE_DECIMALS)
  return {
    accountValueHistory: points.map(({ timeMs, worth }) => [timeMs, text(value(worth))]),
    pnlHistory: points.map(({ timeMs, worth }) => [timeMs, text(subtract(gain(worth), first))]),
    vlm: bigintText(volume, MONEY_DECIMALS, NATIVE_DECIMALS),
  }
}

const [f, i] = [alias(fill, 'f'), alias(instrument, 'i')]
const VOLUMES = columns({ kind: i.kind, volume: sql<Usd>`sum(${f.notional})` })

const volumes = perWorld(({ db }) =>
  VOLUMES.prepare<[trader: number, afterMs: TapeMs, toMs: TapeMs]>(
    db,
    `from fill f join instrument i on i.id = f.instrument
     where f.trader = ? and f.timeMs > ? and f.timeMs <= ? group by 1`,
  ),
)
