/** Whales: positions worth more than 1,000,000 USD. */

import type { TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { WhaleQuery, WhalesFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  WhaleDirections,
  WhaleEvent,
  WhalePosition,
  WhaleRatio,
} from '../../../../contract/records/whale.ts'
import {
  compare,
  negate,
  type Px,
  raw,
  type Sz,
  type Usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/position.ts'
import { bigintText, fractionText } from '../../../formatting/decimal-text.ts'
import {
  AccountStateReader,
  type AccountSummary,
  accountSummaryOf,
  type ValuedPosition,
} from '../../../rows/account-state.ts'
import { columns } from '../../../rows/columns.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { holdingOf, traderHistories } from '../../../rows/trader-histories.ts'
import { tradersOf } from '../../../rows/traders.ts'
import {
  fill,
  type InstrumentRow,
  MONEY_DECIMALS,
  szText,
  usdText,
} from '../../../schema/schema.ts'
import { timeGrid } from '../../../shown-time/time-grid.ts'
import { Cache, perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import {
  entryText,
  liqText,
  modeOf,
  openWhaleCandidates,
  WHALE_VALUE,
  type WhaleCandidate,
  whaleEventsOf,
} from './whale-events.ts'

// Whales at an instant.

/** An open position that is worth more than a whale's at the mark price. */
interface Whale extends WhaleCandidate {
  /** Signed. */
  sz: Sz
  value: Usd
}

/** All of them, unordered. */
function whalesAt(world: World, atMs: TapeMs): Whale[] {
  const marks = new Map<InstrumentRow, Px>()
  const markOf = (of: InstrumentRow): Px => {
    const px = marks.get(of) ?? markPx(world, of, atMs) ?? ZERO
    marks.set(of, px)
    return px
  }
  const near = openWhaleCandidates(world, atMs).filter(
    ({ instrument, maxSz }) => positionValue(maxSz, markOf(instrument), instrument) > WHALE_VALUE,
  )
  return near.flatMap((candidate) => {
    const sz = sizeOf(world, candidate, atMs)
    const value = positionValue(sz, markOf(candidate.instrument), candidate.instrument)
    return value > WHALE_VALUE ? [{ ...candidate, sz, value }] : []
  })
}

/** Signed. */
function sizeOf(world: World, { trader, instrument }: WhaleCandidate, atMs: TapeMs): Sz {
  const holding = holdingOf(traderHistories(world).of(trader), instrument)
  return holding ? holding.sz(holding.lastUpTo(atMs)) : ZERO
}

// Open whale positions with all fields.

/** In the requested order, the newest first among equals. */
function* whalePositionsOf(
  world: World,
  moment: Moment,
  query: WhaleQuery,
): Slices<WhalePosition[]> {
  const { coin, dir, npnlSide, frSide, topBy, take } = query
  const chosen = whalesAt(world, moment.atMs).filter(
    ({ instrument, direction }) =>
      (coin === undefined || instrument.coin === coin) && (dir === undefined || direction === dir),
  )
  const held = yield* withPositions(world, moment, chosen)
  return held
    .filter(
      ({ position }) =>
        isOn(npnlSide, position.unrealised) && isOn(frSide, negate(position.funding.sinceOpen)),
    )
    .sort(
      (a, b) =>
        POSITION_ORDERS[topBy](a, b) || b.whale.openMs - a.whale.openMs || b.whale.id - a.whale.id,
    )
    .slice(0, take)
    .map((one) => positionRecord(world, moment, one))
}

interface WhaleWithPosition {
  whale: Whale
  position: ValuedPosition
}

type PositionOrder = (a: WhaleWithPosition, b: WhaleWithPosition) => number

const POSITION_ORDERS: Record<WhaleQuery['topBy'], PositionOrder> = {
  'create-time': (a, b) => b.whale.openMs - a.whale.openMs,
  'position-value': (a, b) => compare(b.whale.value, a.whale.value),
  'margin-balance': (a, b) => compare(b.position.marginUsed, a.position.marginUsed),
  profit: (a, b) => compare(b.position.unrealised, a.position.unrealised),
  loss: (a, b) => compare(a.position.unrealised, b.position.unrealised),
}

function isOn(side: 'profit' | 'loss' | undefined, gain: Usd): boolean {
  return side === undefined || (side === 'profit' ? gain > ZERO : gain < ZERO)
}

/** With the position of the account state; each account is read once. */
function* withPositions(
  world: World,
  moment: Moment,
  whales: readonly Whale[],
): Slices<WhaleWithPosition[]> {
  const accountStates = new AccountStateReader(world, moment)
  const accounts = new Map<string, AccountSummary>()
  const accountAt = (address: string, dex: string) => {
    const key = `${address}/${dex}`
    const account =
      accounts.get(key) ??
      accountSummaryOf(accountStates.read(address, dex) ?? { cash: ZERO, holdings: [] })
    accounts.set(key, account)
    return account
  }
  const found: WhaleWithPosition[] = []
  for (const whale of whales) {
    yield
    const { trader, instrument } = whale
    const { positions } = accountAt(tradersOf(world).address(trader), instrument.dex)
    const position = positions.find((one) => one.instrument === instrument)
    if (position) found.push({ whale, position })
  }
  return found
}

function positionRecord(
  world: World,
  moment: Moment,
  { whale, position }: WhaleWithPosition,
): WhalePosition {
  const { instrument: of, trader, openMs } = whale
  const isPaid = moment.answers['whale-funding-sign'] === 'paid'
  const paid = position.funding.sinceOpen
  const updated = lastFill(world).get(trader, of.id, moment.atMs)
  return {
    user: tradersOf(world).address(trader),
    symbol: of.coin,
    positionSize: szText(of, position.sz),
    entryPrice: entryText(of, position),
    liqPrice: liqText(of, position),
    leverage: position.leverage,
    marginBalance: usdText(position.marginUsed),
    positionValueUsd: usdText(position.value),
    unrealizedPnL: usdText(position.unrealised),
    fundingFee: usdText(isPaid ? paid : negate(paid)),
    marginMode: modeOf(whale),
    createTime: openMs,
    updateTime: updated?.timeMs ?? openMs,
  }
}

const FILL_TIMES = columns({ timeMs: fill.timeMs })

const lastFill = perWorld(({ db }) =>
  FILL_TIMES.prepare<[trader: number, instrument: number, atMs: TapeMs]>(
    db,
    `from fill where trader = ? and instrument = ? and timeMs <= ?
     order by timeMs desc limit 1`,
  ),
)

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

// Both sides of the whales over time.

/** The latest `limit` instants at whole intervals, oldest first. */
function* longShortRatios(
  world: World,
  moment: Moment,
  intervalMs: number,
  limit: number,
): Slices<WhaleRatio[]> {
  const times = timeGrid(moment, intervalMs, world.meta.historyStartMs, limit)
  const ratios: WhaleRatio[] = []
  for (const timeMs of times) {
    ratios.push(ratioRecord(timeMs, cachedSides(world)(timeMs)))
    yield
  }
  return ratios
}

interface WhaleSides {
  count: { long: number; short: number }
  /** Micro-dollars. */
  value: { long: bigint; short: bigint }
}

function ratioRecord(time: number, { count, value }: WhaleSides): WhaleRatio {
  return {
    time,
    longRatio: fractionText(BigInt(count.long), BigInt(count.long + count.short)),
    positionValueDiff: bigintText(value.long - value.short, MONEY_DECIMALS),
    longPositionValueRatio: fractionText(value.long, value.long + value.short),
  }
}

/** The past never changes, so computed instants are cached. */
const cachedSides = perWorld((world) => {
  const cached = new Cache<number, WhaleSides>(CACHE_LIMIT)
  return (timeMs: TapeMs): WhaleSides => cached.get(timeMs, () => whaleSides(world, timeMs))
})

const CACHE_LIMIT = 10_000

function whaleSides(world: World, timeMs: TapeMs): WhaleSides {
  const sides: WhaleSides = { count: { long: 0, short: 0 }, value: { long: 0n, short: 0n } }
  for (const { direction, value } of whalesAt(world, timeMs)) {
    sides.count[direction]++
    sides.value[direction] += BigInt(raw(value))
  }
  return sides
}
