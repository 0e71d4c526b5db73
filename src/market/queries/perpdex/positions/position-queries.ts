/** A position over its life: states, value, executions. */

import { later, shownAt, type TapeMs, tapeAt, tapeMs } from '../../../../clock/instant.ts'
import type {
  PositionIntervals,
  PositionSelector,
  PositionsFacts,
} from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  PositionExecutions,
  PositionHistory,
  PositionPnls,
  PositionSnapshot,
} from '../../../../contract/records/completed-trade.ts'
import { isoText } from '../../../../contract/shown-value.ts'
import {
  absolute,
  format,
  mulDiv,
  portion,
  raw,
  type Sz,
  sum,
  type Usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { positionValue, unrealisedPnl } from '../../../accounting/position.ts'
import { averageText } from '../../../formatting/decimal-text.ts'
import {
  AccountStateReader,
  type AccountSummary,
  accountSummaryOf,
  type ValuedPosition,
  writePosition,
} from '../../../rows/account-state.ts'
import { columns } from '../../../rows/columns.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { fill, type InstrumentRow, position, szText, usdText } from '../../../schema/schema.ts'
import { bucketOf } from '../../../shown-time/time-grid.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

/** One position from open to flat, or to now: its key and the fills that made it. */
interface PositionLife {
  trader: number
  instrument: InstrumentRow
  direction: 'long' | 'short'
  isolated: boolean
  openMs: TapeMs
  /** null while it is open. */
  closeMs: TapeMs | null
  openFill: number
  closeFill: number | null
  leverage: number
  /** Total of all increases. */
  openSz: Sz
  openNotional: Usd
}

/** Part of a fill that belongs to the position, and the position after it. */
interface PositionExecution {
  timeMs: TapeMs
  side: 'B' | 'A'
  sz: Sz
  notional: Usd
}

/** The requested position as of now; null when there is none. */
function positionLifeOf(
  world: World,
  selector: PositionSelector,
  atMs: TapeMs,
): PositionLife | null {
  const trader = tradersOf(world).find(selector.address)
  const instrument = world.byCoin.get(selector.coin)
  if (!trader || !instrument) return null
  const { open, closed } = statements(world)
  const row =
    selector.at === 'open'
      ? open.get(trader.id, instrument.id, atMs)
      : closed.get(
          trader.id,
          instrument.id,
          atMs,
          selector.at.startMs ?? null,
          selector.at.endMs ?? null,
        )
  if (!row) return null
  const { closeMs, closeFill, ...rest } = row
  const isOver = selector.at !== 'open'
  return {
    ...rest,
    trader: trader.id,
    instrument,
    closeMs: isOver ? closeMs : null,
    closeFill: isOver ? closeFill : null,
  }
}

/** Its executions up to an instant, oldest first; of a flip only its own part. */
function executionsOf(world: World, life: PositionLife, untilMs: TapeMs): PositionExecution[] {
  const { trader, instrument, openMs, openFill, closeFill } = life
  const rows = statements(world).fills.all(trader, instrument.id, openMs, untilMs)
  return rows
    .filter(({ id }) => id >= openFill && (closeFill === null || id <= closeFill))
    .map(({ id, timeMs, side, sz, notional, startPosition, positionAfter }) => {
      const own =
        id === openFill ? absolute(positionAfter) : id === closeFill ? absolute(startPosition) : sz
      return { timeMs, side, sz: own, notional: own === sz ? notional : portion(notional, own, sz) }
    })
}

const LIVES = columns({
  direction: position.direction,
  isolated: position.isolated,
  openMs: position.openMs,
  closeMs: position.closeMs,
  openFill: position.openFill,
  closeFill: position.closeFill,
  leverage: position.leverage,
  openSz: position.openSz,
  openNotional: position.openNotional,
})
const FILLS = columns({
  id: fill.id,
  timeMs: fill.timeMs,
  side: fill.side,
  sz: fill.sz,
  notional: fill.notional,
  startPosition: fill.startPosition,
  positionAfter: fill.positionAfter,
})
type At = [trader: number, instrument: number, atMs: TapeMs]

const statements = perWorld(({ db }) => ({
  open: LIVES.prepare<At>(
    db,
    `from position where trader = ?1 and instrument = ?2 and openMs <= ?3
     and (closeMs is null or closeMs > ?3) order by openMs desc, id desc limit 1`,
  ),
  closed: LIVES.prepare<[...At, openMs: number | null, closeMs: number | null]>(
    db,
    `from position where trader = ?1 and instrument = ?2 and closeMs <= ?3
     and (?4 is null or openMs = ?4) and (?5 is null or closeMs = ?5)
     order by closeMs desc, id desc limit 1`,
  ),
  fills: FILLS.prepare<[trader: number, instrument: number, fromMs: TapeMs, untilMs: TapeMs]>(
    db,
    `from fill where trader = ? and instrument = ? and timeMs between ? and ?
     order by timeMs, id`,
  ),
}))

// Snapshots of a position, in the form of account states.

/** Maximum number of snapshots; beyond that, evenly spaced ones are shown. */
const SNAPSHOTS_MAX = 100

/** After each change, including its closing, and as of now while it is open; oldest first. */
function positionSnapshots(world: World, moment: Moment, life: PositionLife): PositionSnapshot[] {
  const lastMs = life.closeMs ?? moment.atMs
  const changes = new Set(executionsOf(world, life, lastMs).map(({ timeMs }) => timeMs))
  return evenlySpread([...changes.add(lastMs)]).flatMap(
    (timeMs) => snapshotAt(world, moment, life, timeMs) ?? [],
  )
}

function evenlySpread(instants: readonly TapeMs[]): TapeMs[] {
  if (instants.length <= SNAPSHOTS_MAX) return [...instants]
  const step = (instants.length - 1) / (SNAPSHOTS_MAX - 1)
  return Array.from({ length: SNAPSHOTS_MAX }, (_, n) => instants[Math.round(n * step)] as TapeMs)
}

function snapshotAt(
  world: World,
  moment: Moment,
  life: PositionLife,
  timeMs: TapeMs,
): PositionSnapshot | null {
  const { answers } = moment
  const { instrument } = life
  const isFlat = timeMs === life.closeMs
  const account = accountAt(world, moment, life, isFlat ? later(timeMs, -1) : timeMs)
  const position = account?.positions.find((one) => one.instrument === instrument)
  const valued = isFlat ? closed(life, position) : position
  if (!valued) return null
  const record = writePosition(valued, null)
  const isOpen = life.closeMs === null
  const isDocumented = answers['position-liquidation-name'] === 'liqPrice'
  const liquidation = isDocumented
    ? { liqPrice: record.liquidationPx }
    : { liquidationPx: record.liquidationPx }
  return {
    time: timeMs,
    size: szText(instrument, isFlat ? ZERO : absolute(valued.sz)),
    leverage: valued.leverage,
    // The documented sample of a completed position has neither field.
    ...(isOpen ? { effLeverage: account && accountLeverage(account) } : {}),
    entryPrice: record.entryPx,
    positionValue: record.positionValue,
    unrealizedPnl: record.unrealizedPnl,
    returnOnEquity: record.returnOnEquity,
    ...(isOpen || !isDocumented ? liquidation : {}),
    marginUsed: record.marginUsed,
    cumFunding: fundingSinceOpen(record),
  }
}

function accountAt(
  world: World,
  { shiftMs }: Moment,
  { trader, instrument }: PositionLife,
  atMs: TapeMs,
): AccountSummary | null {
  const address = tradersOf(world).address(trader)
  const state = new AccountStateReader(world, { atMs, shiftMs }).read(address, instrument.dex)
  return state && accountSummaryOf(state)
}

/**
 * A closed position: only its entry and its payments remain, taken from right before. At the
 * instant itself another one may be open already.
 */
function closed(life: PositionLife, before: ValuedPosition | undefined): ValuedPosition {
  const { instrument, leverage, isolated, openSz: sz, openNotional: cost } = life
  const nothing = { value: ZERO, unrealised: ZERO, marginUsed: ZERO, liquidationPx: null }
  if (before) return { ...before, ...nothing }
  const funding = { allTime: ZERO, sinceOpen: ZERO, sinceChange: ZERO }
  return { instrument, sz, cost, leverage, isolated, px: ZERO, funding, ...nothing }
}

const fundingSinceOpen = ({ cumFunding }: ReturnType<typeof writePosition<null>>) =>
  cumFunding.sinceOpen

/** Notional over value of the whole account; null for a worthless one. */
function accountLeverage({ all }: AccountSummary): string | null {
  if (all.accountValue <= ZERO) return null
  return format(mulDiv(raw(all.totalNtlPos), 10_000, raw(all.accountValue)), 4)
}

export class PositionQueries implements PositionsFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  history(selector: PositionSelector): PositionHistory | null {
    const life = this.life(selector)
    if (!life) return null
    return { ...this.header(life), history: positionSnapshots(this.world, this.moment, life) }
  }

  pnls(selector: PositionSelector, { interval, limit }: PositionIntervals): PositionPnls | null {
    const life = this.life(selector)
    if (!life) return null
    const { instrument } = life
    const pnls = this.buckets(life, interval, limit).map(({ startMs, lastMs }) => {
      const { sz, value, unrealised } = positionStateAt(this.world, life, lastMs)
      return {
        time: startMs,
        size: szText(instrument, absolute(sz)),
        positionValue: usdText(value),
        unrealizedPnl: usdText(unrealised),
      }
    })
    return { ...this.header(life), interval, pnls }
  }

  executions(
    selector: PositionSelector,
    { interval, limit }: PositionIntervals,
  ): PositionExecutions | null {
    const life = this.life(selector)
    if (!life) return null
    const parts = executionsOf(this.world, life, life.closeMs ?? this.moment.atMs)
    const byStart = Map.groupBy(parts, ({ timeMs }) => this.bucket(interval, timeMs).startMs)
    const executions = [...byStart].slice(-limit).map(([time, own]) => {
      const bought = sumOf(life, own, 'B')
      const sold = sumOf(life, own, 'A')
      return {
        time,
        buyCount: bought.count,
        sellCount: sold.count,
        buySz: bought.size,
        sellSz: sold.size,
        buyAvgPx: bought.average,
        sellAvgPx: sold.average,
      }
    })
    return { ...this.header(life), interval, executions }
  }

  private life(selector: PositionSelector): PositionLife | null {
    return positionLifeOf(this.world, selector, this.moment.atMs)
  }

  private header({ trader, instrument, direction, isolated, openMs, closeMs }: PositionLife) {
    return {
      address: tradersOf(this.world).address(trader),
      coin: instrument.coin,
      direction,
      cross: !isolated,
      startTime: isoText(openMs),
      ...(closeMs === null ? {} : { endTime: isoText(closeMs) }),
    }
  }

  /** The newest intervals of its life, oldest first, each with its last instant. */
  private buckets({ openMs, closeMs }: PositionLife, interval: string, limit: number) {
    const untilMs = closeMs ?? this.moment.atMs
    const buckets: { startMs: TapeMs; lastMs: TapeMs }[] = []
    for (let atMs = untilMs; atMs >= openMs && buckets.length < limit; ) {
      const { startMs, endMs } = this.bucket(interval, atMs)
      buckets.push({ startMs, lastMs: tapeMs(Math.min(endMs - 1, untilMs)) })
      atMs = later(startMs, -1)
    }
    return buckets.reverse()
  }

  /** Intervals lie on shown time. */
  private bucket(interval: string, timeMs: TapeMs) {
    const { shiftMs } = this.moment
    const shown = bucketOf(interval, shownAt(timeMs, shiftMs))
    if (!shown) throw new Error(`${interval} is no interval`)
    return { startMs: tapeAt(shown.startMs, shiftMs), endMs: tapeAt(shown.endMs, shiftMs) }
  }
}

function sumOf(
  { instrument }: PositionLife,
  parts: readonly PositionExecution[],
  side: PositionExecution['side'],
) {
  const own = parts.filter((part) => part.side === side)
  const sz = sum(own.map((part) => part.sz))
  const notional = sum(own.map((part) => part.notional))
  return {
    count: own.length,
    size: szText(instrument, sz),
    average: own.length === 0 ? null : averageText(instrument, sz, notional),
  }
}

// The state of a position at an instant of its life.

/** Signed size and cost; value and PnL at the mark. */
interface PositionState {
  sz: Sz
  value: Usd
  unrealised: Usd
}

/** As of the instant; flat before its opening, and from its closing on. */
function positionStateAt(world: World, life: PositionLife, atMs: TapeMs): PositionState {
  const { trader, instrument, openFill, closeMs } = life
  const isOver = closeMs !== null && atMs >= closeMs
  const held = isOver ? null : latest(world).get(trader, instrument.id, atMs, openFill)
  const { sz, cost } = held ?? { sz: ZERO, cost: ZERO }
  const px = markPx(world, instrument, atMs) ?? ZERO
  return {
    sz,
    value: positionValue(sz, px, instrument),
    unrealised: unrealisedPnl({ sz, cost }, px, instrument),
  }
}

const latest = perWorld(({ db }) =>
  columns({ sz: fill.positionAfter, cost: fill.costAfter }).prepare<
    [trader: number, instrument: number, atMs: TapeMs, openFill: number]
  >(
    db,
    `from fill where trader = ? and instrument = ? and timeMs <= ? and id >= ?
     order by timeMs desc, id desc limit 1`,
  ),
)
