/** Value, PnL and volume of an account over the venue's windows (shapes 2.17). */
import type { Moment } from '../../../contract/facts.ts'
import type { Portfolio, PortfolioWindow } from '../../../contract/records/portfolio.ts'
import { spanMs } from '../../../contract/span.ts'
import { MONEY_DECIMALS, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { type Trader, tradersOf } from '../traders.ts'
import { NATIVE, wideText } from '../wording.ts'
import { firstMs, type Worth, worthAt, worthKept } from '../worth.ts'

/** Length of each window, and the distance of its points; null for everything. */
const WINDOWS = [
  { length: '1d', step: '2h' },
  { length: '7d', step: '3h' },
  { length: '30d', step: '12h' },
  { length: null, step: '12h' },
] as const

/** Points lie on the clock that clients are shown; the last is the present. */
export function portfolioOf(world: World, moment: Moment, address: string): Portfolio {
  const trader = tradersOf(world).find(address)
  const begunMs = trader && firstMs(world, trader)
  const isKnown = begunMs !== undefined && begunMs !== null && begunMs <= moment.atMs
  const curves = WINDOWS.map((window) => {
    if (!trader || !isKnown) return { perp: EMPTY, all: EMPTY }
    const fromMs = window.length === null ? begunMs : moment.atMs - spanMs(window.length)
    return curvesOf(world, moment, trader, fromMs, spanMs(window.step))
  })
  const [day, week, month, ever] = curves as [Curves, Curves, Curves, Curves]
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

interface Curves {
  perp: PortfolioWindow
  all: PortfolioWindow
}

const EMPTY: PortfolioWindow = { accountValueHistory: [], pnlHistory: [], vlm: '0.0' }

function curvesOf(
  world: World,
  { atMs, shiftMs }: Moment,
  trader: Trader,
  fromMs: number,
  stepMs: number,
): Curves {
  const points: { timeMs: number; worth: Worth }[] = []
  // The first point is the one from which the window could begin to count.
  const firstPointMs = Math.floor((fromMs + shiftMs) / stepMs) * stepMs - shiftMs
  for (let timeMs = firstPointMs; timeMs < atMs; timeMs += stepMs)
    points.push({ timeMs, worth: worthKept(world)(trader, { atMs: timeMs, shiftMs }) })
  points.push({ timeMs: atMs, worth: worthAt(world, trader, { atMs, shiftMs }) })
  const rows = volumes(world).values(trader.id, fromMs, atMs) as [string, number][]
  const [perp = 0, spot = 0] = ['perp', 'spot'].map((one) => rows.find(([of]) => of === one)?.[1])
  return {
    perp: windowOf(
      points,
      (one) => one.perp,
      (one) => one.perpIn,
      BigInt(perp),
    ),
    all: windowOf(
      points,
      (one) => one.perp + one.spot,
      (one) => one.allIn,
      BigInt(perp) + BigInt(spot),
    ),
  }
}

function windowOf(
  points: readonly { timeMs: number; worth: Worth }[],
  value: (worth: Worth) => number,
  broughtIn: (worth: Worth) => number,
  volume: bigint,
): PortfolioWindow {
  const gain = (worth: Worth) => value(worth) - broughtIn(worth)
  const first = points[0] ? gain(points[0].worth) : 0
  const text = (micros: number) => usdText(micros, NATIVE)
  return {
    accountValueHistory: points.map(({ timeMs, worth }) => [timeMs, text(value(worth))]),
    pnlHistory: points.map(({ timeMs, worth }) => [timeMs, text(gain(worth) - first)]),
    vlm: wideText(volume, MONEY_DECIMALS, NATIVE),
  }
}

const volumes = perWorld(({ db }) =>
  db.prepare(
    `select i.kind, sum(f.notional) from fill f join instrument i on i.id = f.instrument
     where f.trader = ? and f.timeMs > ? and f.timeMs <= ? group by 1`,
  ),
)
