/** Casts one crowd account, by the same ledger and settlement as all others. */

import { getTableColumns } from 'drizzle-orm'
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import {
  greater,
  lesser,
  raw,
  type Sz,
  sz as size,
  sum,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { type RandomSource, randomSource } from '../../random/random-source.ts'
import { positionValue, unrealisedPnl } from '../accounting/position.ts'
import { type Agent, drawMode, drawStyle } from '../casting/agents/agents.ts'
import { AccountFunds, accountEquity, Ledger, liquidationDelta } from '../casting/ledger/ledger.ts'
import { FeeDays, Settlement } from '../casting/ledger/settlement.ts'
import { type Holding, MarketState } from '../casting/market/market-state.ts'
import { marginBehind } from '../casting/matching/liquidation-run.ts'
import { type LiveOrder, OrderManager } from '../casting/matching/order-manager.ts'
import { RowNumbers } from '../casting/row-numbers.ts'
import { writePackedTraders } from '../casting/writing/packed-rows.ts'
import type { RowSink, TableRow } from '../casting/writing/row-sink.ts'
import { columns } from '../rows/columns.ts'
import { indexAtTrade } from '../rows/funding-charges.ts'
import { markPx } from '../rows/mark-prices.ts'
import { tradersOf } from '../rows/traders.ts'
import {
  CROWD,
  type InstrumentRow,
  type LiquidationRow,
  liquidation,
  type TradeRow,
  trade,
} from '../schema/schema.ts'
import { type TableName, tableLayouts } from '../schema/statements.ts'
import { lognormal, logUniform } from '../synth/distributions.ts'
import { perWorld } from '../world/cache.ts'
import { type CrowdAccount, crowdAccount, intervalAt, intervalOf } from '../world/crowd-address.ts'
import type { Database, SqlValue, Statement } from '../world/database.ts'
import type { World } from '../world/world.ts'

// Finds a crowd account's trades by reading few instants.

/** Rows in memory, in the tables of a world. */
export class AccountRows implements RowSink {
  readonly counts: Record<string, number> = {}
  /** No row is dated before the instant being cast. */
  finalMs = Number.NEGATIVE_INFINITY
  private readonly inserts = new Map<string, { columns: string[]; statement: Statement }>()

  constructor(private readonly db: Database) {
    // So few rows need no indexes, each of which would take a page. Tables of the market are
    // missing: a query for them fails, instead of finding nothing.
    db.exec(
      ownTables()
        .map(({ create }) => create)
        .join(';'),
    )
    db.exec('begin')
  }

  add<N extends TableName>(name: N, row: TableRow<N>): void {
    const { columns, statement } = this.insertOf(name)
    const values = row as Record<string, SqlValue | undefined>
    statement.run(...columns.map((column) => values[column] ?? null))
  }

  /** All rows are written already. */
  finish(): void {
    writePackedTraders(this.db)
    this.db.exec('commit')
    for (const { statement } of this.inserts.values()) statement.finalize()
  }

  private insertOf(name: TableName) {
    const known = this.inserts.get(name)
    if (known) return known
    const columns =
      tableLayouts()
        .find((table) => table.name === name)
        ?.columns.map((one) => one.name) ?? []
    const places = columns.map(() => '?').join(', ')
    const made = {
      columns,
      statement: this.db.prepare(`insert or ignore into "${name}" values (${places})`),
    }
    this.inserts.set(name, made)
    return made
  }
}

const OF_MARKET = ['book', 'bookBlock', 'bbo', 'mark', 'funding', 'interest', 'bars', 'meta']
const ownTables = () => tableLayouts().filter(({ name }) => !OF_MARKET.includes(name))

/** Longest delay of an order's number after its instant, where there are very many. */
const LATE_MS = 200
/** Longest time between a liquidation's announcement and its first trade. */
export const ANNOUNCED_MS = 10_000

/** One side of a trade. */
export interface AccountTrade {
  row: TradeRow
  buys: boolean
}

/** The trades of an account with fromMs <= time <= untilMs, in order. */
export function tradesOf(
  world: World,
  account: CrowdAccount,
  untilMs: TapeMs,
  fromMs = tapeMs(0),
): AccountTrade[] {
  const { historyStartMs } = world.meta
  const found: AccountTrade[] = []
  const [spans, overlap] =
    account.kind === 'trading'
      ? [account.intervals, LATE_MS]
      : [[[account.ms, account.ms + ANNOUNCED_MS] as const], LATE_MS]
  for (const [startMs, endMs] of spans) {
    const lastMs = later(historyStartMs, endMs - 1)
    if (lastMs < fromMs) continue
    const firstMs = later(historyStartMs, startMs - overlap)
    if (firstMs > untilMs) break
    const rows = statements(world).trades.all(
      tapeMs(Math.max(firstMs, fromMs)),
      tapeMs(Math.min(lastMs, untilMs)),
    )
    for (const row of rows) {
      const buys = sideOf(account, row, startMs)
      if (buys !== null) found.push({ row, buys })
    }
  }
  return found
}

/** The liquidation of such an account; null before it, or without one. */
export function liquidationOf(
  world: World,
  { ms, oid }: CrowdAccount & { kind: 'forced' },
): LiquidationRow | null {
  const atMs = later(world.meta.historyStartMs, ms)
  return statements(world).forced.get(later(atMs, -ANNOUNCED_MS), later(atMs, ANNOUNCED_MS), oid)
}

/** A liquidation by its number. */
export const liquidationById = (world: World, id: number): LiquidationRow | null =>
  statements(world).byId.get(id)

/** Whether the account bought in a trade; null where it took no part. */
function sideOf(account: CrowdAccount, row: TradeRow, startMs: number): boolean | null {
  const own = (trader: number, oid: number) => {
    if (trader !== CROWD || crowdAccount(oid) !== account.number) return false
    // An order at the edge of two intervals belongs to one of them.
    return account.kind === 'forced' || intervalOf(oid) === intervalAt(startMs)
  }
  if (own(row.buyer, row.buyerOid)) return true
  return own(row.seller, row.sellerOid) ? false : null
}

const statements = perWorld(({ db }) => {
  const forced = columns(getTableColumns(liquidation))
  return {
    trades: columns(getTableColumns(trade)).prepare<[fromMs: TapeMs, toMs: TapeMs]>(
      db,
      `from trade where timeMs between ? and ? and (buyer = ${CROWD} or seller = ${CROWD})
       order by timeMs, id`,
    ),
    forced: forced.prepare<[fromMs: TapeMs, toMs: TapeMs, oid: number]>(
      db,
      'from liquidation where timeMs between ? and ? and oid = ?',
    ),
    byId: forced.prepare<[id: number]>(db, 'from liquidation where id = ?'),
  }
})

// Derives orders of a crowd account from its trades.

/** Limit of a market order's slippage. */
const SLIPPAGE = 0.05

/** Trades of one order at one instant. */
export interface AccountOrder {
  oid: number
  buys: boolean
  crossed: boolean
  /** Trades of one instrument, in order. */
  trades: readonly TradeRow[]
  /** Whether it is a liquidation, or trades exactly its fills. */
  isForced?: boolean
}

/** Groups an account's trades into orders, in order. */
export function ordersOf(trades: readonly AccountTrade[]): AccountOrder[] {
  const keyOf = ({ row, buys }: AccountTrade) => (buys ? row.buyerOid : row.sellerOid)
  return [...Map.groupBy(trades, keyOf)].map(([oid, [first, ...others]]) => {
    const { row, buys } = first as AccountTrade
    const all = [row, ...others.map((one) => one.row)]
    return { oid, buys, crossed: buys === (row.side === 'B'), trades: all }
  })
}

/** The order from its first trade on: it cannot be seen before. */
function liveOrder(
  { oid, buys, crossed, trades, isForced = false }: AccountOrder,
  owner: Agent,
  market: MarketState,
  isPatient: boolean,
): LiveOrder {
  const last = trades.map(({ px }) => px).reduce(buys ? greater : lesser)
  const isLimit = !isForced && (!crossed || isPatient)
  const isLiquidation = isForced && trades.some(({ liquidation }) => liquidation !== null)
  const tif = crossed ? ('Ioc' as const) : ('Gtc' as const)
  return {
    oid,
    trader: owner.id,
    instrument: market.row.id,
    timeMs: (trades[0] as TradeRow).timeMs,
    side: buys ? 'B' : 'A',
    // A tape may trade between the steps of a quote: the limit is the very price.
    limitPx: isLimit ? last : market.onTick(raw(last) * (buys ? 1 + SLIPPAGE : 1 - SLIPPAGE)),
    origSz: sum(trades.map(({ sz }) => sz)),
    filledSz: ZERO,
    orderType: isLimit ? 'Limit' : 'Market',
    tif: isLiquidation ? 'LiquidationMarket' : isLimit ? tif : 'FrontendMarket',
    reduceOnly: isLiquidation,
    triggerPx: null,
    triggerCondition: 'N/A',
    positionTpsl: false,
    cloid: null,
    twap: null,
    builder: null,
    endMs: null,
    endStatus: null,
    hash: null,
    owner,
    plannedMs: null,
    anchorPx: market.px,
  }
}

/**
 * Backing of positions: an account deposits below the minimum, each time another multiple of its
 * position.
 */
const BACKING = { least: 1.2, brought: { least: 1.3, most: 7 }, usd: 200e6 }

/** Funds: the usual ones of the first account of a group, and how they fall and spread. */
const FUNDS = { mostUsd: 60_000, leastUsd: 50, exponent: 0.7, sigma: 1.5 }

export class AccountLedger {
  readonly ledger: Ledger
  private readonly numbers = new RowNumbers()
  private readonly random: RandomSource
  private readonly orders: OrderManager
  private readonly funds: AccountFunds
  private readonly settlement: Settlement
  private readonly markets = new Map<number, MarketState>()
  /** Instants of the markets' prices: the many trades of one order need them once. */
  private readonly pricedMs = new Map<MarketState, TapeMs>()
  private readonly agent: Agent

  constructor(
    private readonly world: World,
    private readonly rows: AccountRows,
    readonly address: string,
    leverage: number | null = null,
  ) {
    const { seed, historyStartMs } = world.meta
    this.random = randomSource(seed, `account ${address}`)
    const treasury = `0x${randomSource(seed, 'treasury of the crowd').hex(40)}`
    this.agent = agentOf(nextTrader(world), address, historyStartMs, this.random, leverage)
    this.ledger = new Ledger(rows, this.numbers, this.random, treasury, () => {})
    this.funds = new AccountFunds(this.ledger, this.random)
    this.orders = new OrderManager(rows, historyStartMs)
    // Only this account's side of a trade is kept: trades are rows already.
    const sides = { add: (...row: Parameters<AccountRows['add']>) => this.keep(...row) }
    const sink = { ...sides, counts: rows.counts, finalMs: Number.NEGATIVE_INFINITY }
    this.settlement = new Settlement(
      sink,
      this.numbers,
      this.ledger,
      this.orders,
      SILENT,
      feeDays(),
    )
    rows.add('trader', { ...this.agent, builder: null })
  }

  holding(of: InstrumentRow): Holding {
    return this.ledger.holding(this.agent, this.marketOf(of))
  }

  /** Advances prices and funding to an instant. */
  advance(timeMs: TapeMs): void {
    this.rows.finalMs = timeMs - 1
    for (const market of this.markets.values()) this.price(market, timeMs)
  }

  /** Deposits what its orders rest on: the more it trades, the more. */
  begin(timeMs: TapeMs, rank: number): void {
    const usual = FUNDS.mostUsd * (rank + 1) ** -FUNDS.exponent
    const dollars = Math.max(FUNDS.leastUsd, lognormal(this.random, usual, FUNDS.sigma))
    this.ledger.topUp(this.ledger.account(this.agent, ''), usd(Math.ceil(dollars * 1e6)), timeMs)
  }

  execute(requested: AccountOrder): void {
    const { buys, trades, isForced = false } = requested
    const [first] = trades as [TradeRow]
    const of = this.world.instruments[first.instrument] as InstrumentRow
    const holding = this.holding(of)
    this.advance(first.timeMs)
    const sz = sum(trades.map((trade) => trade.sz))
    if (!isForced) this.bring(holding, buys, sz, first.timeMs)
    const order = this.place(requested, holding)
    for (const trade of trades) {
      this.advance(trade.timeMs)
      this.settle(trade, { holding, order }, buys)
    }
  }

  /** Writes the announcement of a liquidation to its ledger. */
  announce({ timeMs, markPx: px }: LiquidationRow, of: InstrumentRow): void {
    this.advance(timeMs)
    const holding = this.holding(of)
    const { equity } = marginBehind(holding, unrealisedPnl(holding, px, of))
    const delta = liquidationDelta(holding, { value: positionValue(holding.sz, px, of), equity })
    this.ledger.recordOnly(holding.account, timeMs, delta)
  }

  /** Writes records that are still open. */
  finish(): void {
    this.orders.finish()
    this.settlement.finish(this.markets.values())
  }

  private settle(trade: TradeRow, own: { holding: Holding; order: LiveOrder }, buys: boolean) {
    this.numbers.last.trade = trade.id - 1
    this.rows.add('trade', trade)
    const { timeMs, side, px, sz, tid, hash, liquidation, buyerOid, sellerOid } = trade
    this.settlement.settle({
      market: own.holding.market,
      timeMs,
      side,
      px,
      sz,
      tid,
      hash,
      liquidation,
      takerOid: side === 'B' ? buyerOid : sellerOid,
      buyer: buys ? own : null,
      seller: buys ? null : own,
    })
  }

  /** Deposits what a trade needs. */
  private bring(holding: Holding, buys: boolean, sz: Sz, timeMs: number): void {
    const { account, market } = holding
    if (!market.isPerp) return this.funds.ensure(holding, buys ? 'B' : 'A', sz, timeMs)
    let held = market.value(sz)
    for (const one of account.holdings) held += Math.abs(one.market.marginValue(one.sz))
    const equity = accountEquity(account)
    if (equity >= BACKING.least * held) return
    const { least, most } = BACKING.brought
    const brought = logUniform(this.random, least, most) * held
    const missing = Math.max(BACKING.usd * (0.5 + this.random.unit()), brought - equity)
    this.ledger.topUp(account, usd(Math.ceil(missing)), timeMs)
  }

  private place(of: AccountOrder, { market }: Holding): LiveOrder {
    const order = liveOrder(of, this.agent, market, this.random.chance(0.35))
    this.orders.restore(order, null)
    return order
  }

  private marketOf(of: InstrumentRow): MarketState {
    const known = this.markets.get(of.id)
    if (known) return known
    const market = new MarketState(of, { ...SURVEY, firstPx: of.firstPx, tick: of.tick })
    this.markets.set(of.id, market)
    return market
  }

  private price(market: MarketState, timeMs: TapeMs): void {
    if (this.pricedMs.get(market) === timeMs) return
    this.pricedMs.set(market, timeMs)
    const { row } = market
    const px = markPx(this.world, row, timeMs)
    if (px !== null) market.px = px
    if (market.isPerp) market.fundingIndex = indexAtTrade(this.world, row.id, timeMs)
  }

  private keep(...[name, row]: Parameters<AccountRows['add']>): void {
    if (name !== 'trade') this.rows.add(name, row)
  }
}

/** An unused trader id. */
const nextTrader = (world: World) => (tradersOf(world).list.at(-1)?.id ?? CROWD) + 1

function agentOf(
  trader: number,
  address: string,
  joinMs: TapeMs,
  random: RandomSource,
  leverage: number | null,
): Agent {
  const style = drawStyle('quiet', random)
  return {
    id: trader,
    address,
    role: 'quiet',
    joinMs,
    builder: null,
    wealthUsd: 0,
    style: { ...style, isolation: 0, leverage: leverage ?? style.leverage },
    mode: drawMode(random),
    master: null,
    staked: 0,
    persona: null,
    isPlanned: true,
  }
}

/** No account of the crowd makes so large a part of all trades that it would get a rebate. */
const feeDays = () => new FeeDays(0, () => Number.POSITIVE_INFINITY)

/** Listeners that do nothing. */
const SILENT = { onOpened: () => {}, onClosed: () => {}, onFilled: () => {} }

const SURVEY = {
  lot: size(1),
  tradeUsd: 0,
  meanTradeUsd: 0,
  usdPerSecond: 0,
  interest: null,
  premium: null,
}
