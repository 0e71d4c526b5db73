import { DAY_MS, HOUR_MS } from '../../../clock/instant.ts'
import {
  add,
  type FundingIndex,
  greater,
  raw,
  type Sz,
  sz as size,
  subtract,
  type Usd,
  usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { FEE_DAYS } from '../../accounting/funding.ts'
import { BAR_MS } from '../../bars/past-bars.ts'
import type { Agent } from '../../casting/agents/agents.ts'
import type { CastingContext } from '../../casting/casting-context.ts'
import type { Holding, MarketState, OpenPosition } from '../../casting/market/market-state.ts'
import type { LiveOrder } from '../../casting/matching/order-manager.ts'
import { unpackBars } from '../../schema/bar-blocks.ts'
import type { InstrumentRow, OrderRow } from '../../schema/schema.ts'
import { type Database, metaValue } from '../../world/database.ts'

/** Open interest of an instrument at an instant: the last reported one, else what all are long. */
export function knownOpenInterest(db: Database, instrument: number, atMs: number): Sz {
  const last = 'where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1'
  type At = [instrument: number, atMs: number]
  const reported = db
    .query<{ value: Sz }, At>(`select reported as value from interest ${last}`)
    .get(instrument, atMs)
  if (reported) return reported.value
  const held = db
    .query<{ value: Sz }, At>(`select interestAfter as value from trade ${last}`)
    .get(instrument, atMs)
  return add(crowdOfBars(db, instrument), held?.value ?? ZERO)
}

/** The crowd's long interest when the bars ended. */
export function crowdOfBars(db: Database, instrument: number): Sz {
  const block = db
    .query<{ minutes: Uint8Array }, [number]>(
      'select minutes from bars where instrument = ? order by startMs desc limit 1',
    )
    .get(instrument)
  return size(block ? (unpackBars(block.minutes).interest.at(-1) ?? 0) : 0)
}

/** Restores all holdings at an instant; the accounts exist already. */
export function restoreHoldings(
  db: Database,
  context: CastingContext,
  agents: ReadonlyMap<number, Agent>,
  atMs: number,
): void {
  const rowOf = holdingRows(db, atMs)
  for (const market of context.markets)
    for (const agent of agents.values()) {
      const row = rowOf(agent, market)
      if (row) takeIn(context, agent, market, row)
    }
  for (const sums of openPositionSums(db, atMs)) {
    const holding = context.markets[sums.instrument]?.holdings.get(sums.trader)
    if (!holding) throw new Error(`position ${sums.id} has no trader`)
    holding.position = openPosition(sums, holding)
  }
}

interface HoldingRow {
  trader: number
  instrument: number
  timeMs: number
  id: number
  sz: Sz
  cost: Usd
  funding: Usd
  fundingAtOpen: Usd
  fundingIndex: FundingIndex
  leverage: number
  isolated: number
}

const OF_FILLS = `positionAfter as sz, costAfter as cost, fundingAfter as funding, fundingAtOpen,
  fundingIndex, leverage, isolated`
const OF_LEDGER = `positionAfter as sz, costAfter as cost, 0 as funding, 0 as fundingAtOpen,
  0 as fundingIndex, 1 as leverage, 0 as isolated`

/** Latest row of each trader in each instrument: a fill, or a token deposit. */
function holdingRows(db: Database, atMs: number) {
  // One statement for all: one for each takes as long as minutes of growth.
  const latest = (columns: string, table: string, kinds: string) =>
    db.query<HoldingRow, [number]>(
      `select last.trader, last.instrument, timeMs, last.id, ${columns}
       from instrument i cross join trader t cross join ${table} last
       where i.kind in (${kinds}) and last.id = (
         select id from ${table} where trader = t.id and instrument = i.id and timeMs <= ?
         order by timeMs desc, id desc limit 1)`,
    )
  const known = new Map<number, HoldingRow>()
  const keyOf = (trader: number, instrument: number) => trader * INSTRUMENTS_MAX + instrument
  const rows = [
    ...latest(OF_FILLS, 'fill', "'perp', 'spot'").all(atMs),
    ...latest(OF_LEDGER, 'ledger', "'spot'").all(atMs),
  ]
  for (const row of rows) {
    const key = keyOf(row.trader, row.instrument)
    const other = known.get(key)
    if (!other || isLater(row, other)) known.set(key, row)
  }
  return ({ id }: Agent, { row }: MarketState) => known.get(keyOf(id, row.id))
}

/** Exceeds the number of instruments. */
const INSTRUMENTS_MAX = 2 ** 20

const isLater = (a: HoldingRow, b: HoldingRow) =>
  a.timeMs > b.timeMs || (a.timeMs === b.timeMs && a.id > b.id)

function takeIn({ ledger }: CastingContext, agent: Agent, market: MarketState, row: HoldingRow) {
  const holding = ledger.holding(agent, market)
  holding.sz = row.sz
  holding.cost = row.cost
  holding.funding = row.funding
  holding.fundingAtOpen = row.fundingAtOpen
  holding.fundingIndex = row.fundingIndex
  holding.leverage = row.leverage
  holding.isolated = row.isolated === 1
  market.longSize = add(market.longSize, greater<Sz>(row.sz, ZERO))
  market.netSize = add(market.netSize, row.sz)
}

function openPosition(sums: OpenPositionSums, { sz }: Holding): OpenPosition {
  return {
    id: sums.id,
    long: sz > ZERO,
    openMs: sums.openMs,
    openFill: sums.openFill,
    maxSz: size(sums.maxSz),
    openSz: size(sums.openSz),
    openNotional: usd(sums.openNotional),
    closeSz: size(sums.closeSz),
    closeNotional: usd(sums.closeNotional),
    closedPnl: usd(sums.closedPnl),
    fees: usd(sums.fees),
    fundingBefore: usd(sums.fundingBefore),
    liquidation: sums.liquidation,
  }
}

/** Longest life of most passive orders, distributed uniformly over orders of magnitude. */
export const ORDER_LIFE_MS = 5_400_000
const ORDER_LIFE_LEAST_MS = 20_000
/** Share of orders that rest until their owner acts, and the part of an hour for these. */
const LASTING = 0.08
const THOUGHT_OF = 0.35
/** Nearer orders wait for the price; further ones are cancelled before. */
const NEAR = 0.004
/** Orders are never dated back by more than this. */
const BACKDATE_MAX_MS = 200_000

/** Restores the orders open at an instant, and plans their ends anew. */
export function restoreOrders(
  db: Database,
  context: CastingContext,
  agents: ReadonlyMap<number, Agent>,
  atMs: number,
  random: RandomSource,
): void {
  for (const row of openRows(db, atMs)) {
    const market = context.markets[row.instrument] as MarketState
    const owner = agents.get(row.trader)
    if (!owner) throw new Error(`order ${row.oid} has no trader`)
    const order = liveOrder(row, owner, market)
    context.orders.restore(order, market)
    if (row.positionTpsl) restoreTrigger(context, market, order)
    else restoreLimit(context, market, order, atMs, random.fork(String(row.oid)))
  }
  for (const oid of recentNumbers(db, atMs)) context.orders.useNumber(oid)
}

function openRows(db: Database, atMs: number): OrderRow[] {
  const flagged = db.query<OrderRow & { filled: OrderRow['filledSz'] }, [number]>(
    `select *, (select coalesce(sum(sz), 0) from fill where oid = orders.oid and timeMs <= ?1)
       as filled from orders where timeMs <= ?1 and (endMs is null or endMs > ?1) order by oid`,
  )
  return flagged.all(atMs).map(({ filled, ...row }) => {
    row.filledSz = filled
    row.reduceOnly = Boolean(row.reduceOnly)
    row.positionTpsl = Boolean(row.positionTpsl)
    return row
  })
}

function liveOrder(row: OrderRow, owner: Agent, market: MarketState): LiveOrder {
  const state = { owner, plannedMs: null, anchorPx: market.px, endMs: null, endStatus: null }
  return Object.assign(row, state)
}

/** Restores a position's target or stop as its owner's exit price. */
function restoreTrigger(context: CastingContext, market: MarketState, order: LiveOrder): void {
  const holding = market.holdings.get(order.trader)
  if (!holding?.position) return context.orders.end(order, context.nowMs + 1, 'canceled')
  holding.triggers.push(order)
  const px = raw(order.triggerPx ?? order.limitPx)
  if (order.orderType === 'Stop Market') holding.stopPx = px
  else holding.targetPx = px
  context.passiveOrders.track(market, order)
}

function restoreLimit(
  context: CastingContext,
  market: MarketState,
  order: LiveOrder,
  atMs: number,
  random: RandomSource,
): void {
  const endMs = endOf(order.timeMs, atMs, random)
  if (endMs !== null) context.orders.expire(order, endMs)
  const away = Math.abs(raw(order.limitPx) / raw(market.px) - 1)
  if (away > NEAR) return context.passiveOrders.track(market, order)
  const holding = context.ledger.holding(order.owner, market)
  const { side, limitPx, reduceOnly } = order
  const run = (dueMs: number) => {
    const sz = subtract(order.origSz, order.filledSz)
    if (order.endMs === null && sz > ZERO)
      context.venue.submit({ holding, side, sz, reduceOnly, limitPx, order }, dueMs)
  }
  context.venue.arm(market, { px: raw(limitPx), above: side === 'A', run }, atMs)
}

/** End of an order, with the original distribution; null where it rests for longer. */
function endOf(timeMs: number, atMs: number, random: RandomSource): number | null {
  const ageMs = Math.max(ORDER_LIFE_LEAST_MS, atMs - timeMs)
  const left = Math.max(0, Math.log(ORDER_LIFE_MS / ageMs))
  const whole = Math.log(ORDER_LIFE_MS / ORDER_LIFE_LEAST_MS)
  const lasts = LASTING / (LASTING + ((1 - LASTING) * left) / whole)
  if (!random.chance(lasts))
    return Math.max(atMs + 1, Math.ceil(timeMs + ageMs * Math.exp(left * random.unit())))
  return random.chance(THOUGHT_OF) ? Math.ceil(atMs + 1 + HOUR_MS * random.unit()) : null
}

/** Order numbers of the last minutes, the crowd's included. */
function recentNumbers(db: Database, atMs: number): number[] {
  const placed = db.query<{ oid: number }, [number, number]>(
    'select oid from orders where timeMs > ? and timeMs <= ?',
  )
  const met = db.query<{ a: number; b: number }, [number, number]>(
    'select buyerOid as a, sellerOid as b from trade where timeMs > ? and timeMs <= ?',
  )
  const sinceMs = atMs - BACKDATE_MAX_MS
  return [
    ...placed.all(sinceMs, atMs).map(({ oid }) => oid),
    ...met.all(sinceMs, atMs).flatMap(({ a, b }) => [a, b]),
  ]
}

/** Sums of the row of a position open at an instant. */
interface OpenPositionSums {
  id: number
  trader: number
  instrument: number
  openMs: number
  openFill: number
  maxSz: number
  openSz: number
  openNotional: number
  closeSz: number
  closeNotional: number
  closedPnl: number
  fees: number
  /** Funding settled since it was opened. */
  funding: number
  /** Funding on the instrument before. */
  fundingBefore: number
  liquidation: number | null
}

interface FillOfPosition {
  startPosition: number
  positionAfter: number
  costAfter: number
  sz: number
  notional: number
  closedPnl: number
  fee: number
  crossed: number
  fundingAfter: number
  fundingAtOpen: number
  liquidation: number | null
}

/** The positions open at an instant, summed over their fills up to it. */
export function openPositionSums(db: Database, atMs: number): OpenPositionSums[] {
  const open = db.query<Opened, [number]>(
    `select id, trader, instrument, openMs, openFill from position
     where openMs <= ?1 and (closeMs is null or closeMs > ?1) order by id`,
  )
  const fills = db.query<FillOfPosition, [number, number, number, number, number]>(
    `select startPosition, positionAfter, costAfter, sz, notional, closedPnl, fee, crossed,
       fundingAfter, fundingAtOpen, liquidation from fill
     where trader = ? and instrument = ? and timeMs >= ? and timeMs <= ? and id >= ?
     order by timeMs, id`,
  )
  return open.all(atMs).map((position) => {
    const { trader, instrument, openMs, openFill } = position
    return sumsOf(position, fills.all(trader, instrument, openMs, atMs, openFill))
  })
}

type Opened = Pick<OpenPositionSums, 'id' | 'trader' | 'instrument' | 'openMs' | 'openFill'>

function sumsOf(
  { id, trader, instrument, openMs, openFill }: Opened,
  [first, ...others]: readonly FillOfPosition[],
): OpenPositionSums {
  if (!first) throw new Error(`position ${id} has no fill`)
  const sums: OpenPositionSums = {
    id,
    trader,
    instrument,
    openMs,
    openFill,
    maxSz: Math.abs(first.positionAfter),
    openSz: Math.abs(first.positionAfter),
    openNotional: Math.abs(first.costAfter),
    closeSz: 0,
    closeNotional: 0,
    closedPnl: 0,
    // A flip's whole fee counts with the position that it closed.
    fees: first.startPosition === 0 ? first.fee : 0,
    funding: first.fundingAfter - first.fundingAtOpen,
    fundingBefore: first.fundingAtOpen,
    liquidation: null,
  }
  for (const fill of others) addFill(sums, fill)
  return sums
}

function addFill(sums: OpenPositionSums, fill: FillOfPosition): void {
  const held = Math.abs(fill.positionAfter)
  if (held > Math.abs(fill.startPosition)) {
    sums.openSz += fill.sz
    sums.openNotional += fill.notional
  } else {
    sums.closeSz += fill.sz
    sums.closeNotional += fill.notional
  }
  sums.maxSz = Math.max(sums.maxSz, held)
  sums.closedPnl += fill.closedPnl
  sums.fees += fill.fee
  sums.funding = fill.fundingAfter - sums.fundingBefore
  if (fill.crossed === 1) sums.liquidation ??= fill.liquidation
}

/** Takes in what everybody has traded on the last days up to an instant, which decides the fees. */
export function restoreVolumes(db: Database, context: CastingContext, atMs: number): void {
  const firstDay = Math.floor(atMs / DAY_MS) - FEE_DAYS
  for (const { trader, day, crossed, usd } of ownVolumes(db, atMs))
    if (day >= firstDay) context.feeDays.addDay(trader, day, crossed === 1, usd)
  const instruments = context.markets.map(({ row }) => row)
  context.feeDays.setMarket((day) => marketVolume(db, instruments, day, atMs))
}

/** Volumes of each trader and day up to an instant, by day: earlier ones are kept. */
function ownVolumes(db: Database, atMs: number): OwnVolume[] {
  const firstMs = (Math.floor(atMs / DAY_MS) - FEE_DAYS) * DAY_MS
  const known = knownVolumes.get(db) ?? { atMs: firstMs - 1, byKey: new Map<string, OwnVolume>() }
  knownVolumes.set(db, known)
  const later = db.query<OwnVolume, [number, number, number]>(
    `select trader, timeMs / ? as day, crossed, sum(notional) as usd
     from fill where timeMs > ? and timeMs <= ? group by 1, 2, 3`,
  )
  for (const volume of later.all(DAY_MS, known.atMs, atMs)) {
    const key = `${volume.trader} ${volume.day} ${volume.crossed}`
    const before = known.byKey.get(key)
    if (before) before.usd += volume.usd
    else known.byKey.set(key, volume)
  }
  known.atMs = Math.max(known.atMs, atMs)
  for (const [key, { day }] of known.byKey) if (day * DAY_MS < firstMs) known.byKey.delete(key)
  return [...known.byKey.values()].sort((a, b) => a.day - b.day)
}

/** A line's file only grows, so that each segment adds the fills since the last one. */
const knownVolumes = new WeakMap<Database, { atMs: number; byKey: Map<string, OwnVolume> }>()

interface OwnVolume {
  trader: number
  day: number
  crossed: 0 | 1
  usd: number
}

/** What was traded on a day up to an instant, micro-dollars: bars hold the trades without rows. */
function marketVolume(
  db: Database,
  instruments: readonly InstrumentRow[],
  day: number,
  atMs: number,
): number {
  const cached = wholeDays.get(db) ?? new Map<number, number>()
  wholeDays.set(db, cached)
  const known = cached.get(day)
  if (known !== undefined) return known
  const [startMs, endMs] = [day * DAY_MS, Math.min((day + 1) * DAY_MS, atMs + 1)]
  const traded = db.query<{ usd: number }, [number, number]>(
    'select total(notional) as usd from trade where timeMs >= ? and timeMs < ?',
  )
  let usd = traded.get(startMs, endMs)?.usd ?? 0
  if (startMs < Number(metaValue(db, 'barsEndMs'))) usd += barVolume(db, instruments, startMs)
  if (endMs === (day + 1) * DAY_MS) cached.set(day, usd)
  return usd
}

/** Days that are over do not change. */
const wholeDays = new WeakMap<Database, Map<number, number>>()

function barVolume(db: Database, instruments: readonly InstrumentRow[], startMs: number): number {
  const blocks = db.query<{ instrument: number; startMs: number; minutes: Uint8Array }, number[]>(
    'select instrument, startMs, minutes from bars where startMs > ? and startMs < ?',
  )
  let usd = 0
  for (const row of blocks.all(startMs - DAY_MS, startMs + DAY_MS)) {
    const { pxDecimals, szDecimals } = instruments[row.instrument] as InstrumentRow
    const { bought, sold, high, low } = unpackBars(row.minutes)
    const first = Math.max(0, Math.ceil((startMs - row.startMs) / BAR_MS))
    const end = Math.min(bought.length, Math.ceil((startMs + DAY_MS - row.startMs) / BAR_MS))
    let sum = 0
    for (let at = first; at < end; at++)
      sum +=
        (((bought[at] as number) + (sold[at] as number)) *
          ((high[at] as number) + (low[at] as number))) /
        2
    usd += sum * 10 ** (6 - pxDecimals - szDecimals)
  }
  return usd
}
