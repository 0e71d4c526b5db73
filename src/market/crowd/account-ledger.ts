/** Casts what one account of the crowd did, by the ledger and the settlement of all others. */
import type { TapeMs } from '../../clock/instant.ts'
import { feeRate, type Sz, sz as size, sum, usd } from '../../decimal/quantity.ts'
import { type RandomSource, randomSource } from '../../random/random-source.ts'
import { positionValue, unrealisedPnl } from '../accounting/margin.ts'
import type { Agent } from '../casting/agents/agent.ts'
import { drawStyle } from '../casting/agents/trading-style.ts'
import { AccountFunds } from '../casting/ledger/account-funds.ts'
import { Ledger } from '../casting/ledger/ledger.ts'
import { liquidationDelta } from '../casting/ledger/ledger-deltas.ts'
import { Settlement } from '../casting/ledger/settlement.ts'
import { accountEquity } from '../casting/ledger/sub-account.ts'
import { type Holding, MarketState } from '../casting/market/market-state.ts'
import { marginBehind } from '../casting/matching/liquidation-run.ts'
import { type LiveOrder, OrderManager } from '../casting/matching/order-manager.ts'
import { logUniform } from '../casting/random-values.ts'
import { RowNumbers } from '../casting/row-numbers.ts'
import { indexAt } from '../rows/funding-charges.ts'
import { markPx } from '../rows/mark-prices.ts'
import { tradersOf } from '../rows/traders.ts'
import { CROWD, type InstrumentRow, type LiquidationRow, type TradeRow } from '../schema/schema.ts'
import type { World } from '../world/world.ts'
import { type AccountOrder, liveOrder } from './account-orders.ts'
import type { AccountRows } from './account-rows.ts'

/**
 * What stands behind what is held: an account brings more when it is less than the least, each time
 * another multiple of what it holds.
 */
const BACKING = { least: 1.2, brought: { least: 1.3, most: 7 }, usd: 200e6 }
export class AccountLedger {
  readonly ledger: Ledger
  private readonly numbers = new RowNumbers()
  private readonly random: RandomSource
  private readonly orders: OrderManager
  private readonly funds: AccountFunds
  private readonly settlement: Settlement
  private readonly markets = new Map<number, MarketState>()
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
    // Of the two sides of a trade only this account's is kept: trades are rows already.
    const sides = { add: (...row: Parameters<AccountRows['add']>) => this.keep(...row) }
    const sink = { ...sides, counts: rows.counts, finalMs: Number.NEGATIVE_INFINITY }
    this.settlement = new Settlement(sink, this.numbers, this.ledger, this.orders, SILENT)
    rows.add('trader', { ...this.agent, builder: null })
  }

  holding(of: InstrumentRow): Holding {
    return this.ledger.holding(this.agent, this.marketOf(of))
  }

  /** Goes to an instant: prices and funding are those of then. */
  advance(timeMs: TapeMs): void {
    this.rows.finalMs = timeMs - 1
    for (const market of this.markets.values()) this.price(market, timeMs)
  }

  execute(asked: AccountOrder): void {
    const { buys, trades, isForced = false } = asked
    const [first] = trades as [TradeRow]
    const of = this.world.instruments[first.instrument] as InstrumentRow
    const holding = this.holding(of)
    this.advance(first.timeMs)
    const sz = sum(trades.map((trade) => trade.sz))
    if (!isForced) this.bring(holding, buys, sz, first.timeMs)
    const order = this.place(asked, holding)
    for (const trade of trades) {
      this.advance(trade.timeMs)
      this.settle(trade, { holding, order }, buys)
    }
  }

  /** Writes into its ledger that what it holds is about to be liquidated. */
  announce({ timeMs, markPx: px }: LiquidationRow, of: InstrumentRow): void {
    this.advance(timeMs)
    const holding = this.holding(of)
    const { equity } = marginBehind(holding, unrealisedPnl(holding, px, of))
    const delta = liquidationDelta(holding, { value: positionValue(holding.sz, px, of), equity })
    this.ledger.recordOnly(holding.account, timeMs, delta)
  }

  /** Writes what is still open. */
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

  /** Sees to it that there is enough behind a trade. */
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
    const { row } = market
    const px = markPx(this.world, row, timeMs)
    if (px !== null) market.px = px
    if (market.isPerp) market.fundingIndex = indexAt(this.world, row.id, timeMs, 0)
  }

  private keep(...[name, row]: Parameters<AccountRows['add']>): void {
    if (name !== 'trade') this.rows.add(name, row)
  }
}

/** A number that no trader has. */
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
    takerRate: feeRate(450),
    makerRate: feeRate(150),
    builder: null,
    wealthUsd: 0,
    style: { ...style, isolation: 0, leverage: leverage ?? style.leverage },
    persona: null,
    isPlanned: true,
  }
}

/** Nobody decides anything by what happens. */
const SILENT = { onOpened: () => {}, onClosed: () => {}, onFilled: () => {} }

const SURVEY = {
  lot: size(1),
  tradeUsd: 0,
  meanTradeUsd: 0,
  usdPerSecond: 0,
  interest: null,
  premium: null,
}
