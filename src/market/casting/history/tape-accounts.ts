/**
 * Accounts in the tape: the history leads up to their initial positions by ordinary trades, orders
 * and transfers.
 */
import {
  absolute,
  usd as money,
  parse,
  pow10,
  px as price,
  raw,
  type Sz,
  sz as size,
  subtract,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { BAR_MS } from '../../bars/past-bars.ts'
import type { Agent } from '../agents/agents.ts'
import type { CastingContext } from '../casting-context.ts'
import { fundingPaid, SPOT } from '../ledger/ledger.ts'
import type { Holding, MarketState, SubAccount } from '../market/market-state.ts'
import type { LiveOrder, TradePrint } from '../matching/order-manager.ts'
import type { AccountOfTape, PositionOfTape } from '../survey/tape-survey.ts'
import type { InputOrder } from '../tape-input.ts'
import { parseNearest } from '../tape-input.ts'
import type { MarketPast } from './past.ts'
import type { PricePath } from './price-path.ts'

/** Admits the accounts' owners before other agents may get their addresses. */
export const admitAccounts = (
  { agents }: CastingContext,
  accounts: readonly AccountOfTape[],
): AccountOwner[] =>
  accounts.map((account) => ({
    agent: agents.addPlanned(null, 'named', 0, { mode: 'separated' }, account.address),
    account,
  }))

/** End of the history and start of the tape, ms. */
interface AccountTimes {
  historyEndMs: number
  tapeStartMs: number
}

export function planAccounts(
  context: CastingContext,
  paths: readonly PricePath[],
  owners: readonly AccountOwner[],
  times: AccountTimes,
): void {
  const pasts = new Map(paths.map(({ market, past }) => [market.row.coin, past]))
  for (const owner of owners) new AccountPlan(context, pasts, owner, times).plan()
}

/** No position is opened in the last minutes, which leaves room for nothing else. */
const LATEST_MS = 10 * BAR_MS

class AccountPlan {
  /** Cost of the positions by their entry prices, micro-dollars, by dex. */
  private readonly recordedCosts = new Map<string, number>()

  constructor(
    private readonly context: CastingContext,
    private readonly pasts: ReadonlyMap<string, MarketPast>,
    private readonly owner: AccountOwner,
    private readonly times: AccountTimes,
  ) {}

  plan(): void {
    const { tasks } = this.context
    const { positions, recorded } = this.owner.account
    const transfers = recorded.flatMap((part) => part.transfers ?? [])
    const joinMs = this.owner.agent.joinMs
    tasks.put(joinMs, () => this.begin(joinMs))
    for (const { timeMs, type, usd } of transfers)
      if (timeMs > joinMs && timeMs < this.times.historyEndMs - 1)
        tasks.put(timeMs, () => this.transfer(type, money(parseNearest(usd, 6)), timeMs))
    for (const position of positions) this.planPosition(position)
    for (const order of recorded.flatMap(({ orders = [] }) => orders))
      planOrder(this.context, this.owner, order, this.times.tapeStartMs)
    tasks.put(this.times.historyEndMs - 1, () => this.settle(this.times.historyEndMs - 1))
  }

  /** Opens the account with its money; the difference is settled at the end. */
  private begin(timeMs: number): void {
    const { ledger } = this.context
    for (const { dex, cash } of this.owner.account.recorded) {
      if (cash === undefined) continue
      const account = this.account(dex)
      const usd = cents(Number(cash) * 1e6)
      if (usd > ZERO) ledger.topUpExactly(account, usd, timeMs)
    }
  }

  private account(dex: string): SubAccount {
    const account = this.context.ledger.account(this.owner.agent, dex)
    // Its margin is not managed: it has exactly the tape's money.
    account.awaitsLiquidation = dex !== SPOT
    return account
  }

  private transfer(type: 'deposit' | 'withdraw', usd: Usd, timeMs: number): void {
    if (usd <= ZERO) return
    if (type === 'deposit') this.context.ledger.deposit(this.account(''), usd, timeMs)
    else this.context.ledger.withdraw(this.account(''), usd, timeMs)
  }

  private planPosition({ recorded, sz }: PositionOfTape): void {
    const past = this.pasts.get(recorded.coin)
    if (!past?.market.isPerp) return
    const { market } = past
    const entryPx = price(parseNearest(recorded.entryPx, market.row.pxDecimals))
    const timeMs = this.openingOf(past, raw(entryPx))
    this.context.tasks.put(timeMs, () => {
      const account = this.account(market.row.dex)
      const holding = this.context.ledger.holding(account.agent, market)
      const leverage = Math.min(recorded.leverage, market.row.maxLeverage)
      Object.assign(holding, { leverage, isolated: recorded.isolated })
      market.px = past.pxAt(timeMs)
      const side = sz > ZERO ? 'B' : 'A'
      const prints = entryPrints(recorded.entryPx, sz, past, timeMs)
      const order = { market, timeMs, side, prints, taker: holding, fromCrowd: true } as const
      this.context.matching.execute(order)
      const cost = (raw(sz) / pow10(market.row.szDecimals)) * Number(recorded.entryPx) * 1e6
      this.recordedCosts.set(market.row.dex, (this.recordedCosts.get(market.row.dex) ?? 0) + cost)
    })
  }

  /** The latest minute that had such a price, else the nearest one. */
  private openingOf(past: MarketPast, px: number): number {
    const earliestMs = this.owner.agent.joinMs + BAR_MS
    let [nearestMs, least] = [earliestMs, Number.POSITIVE_INFINITY]
    for (let atMs = this.times.historyEndMs - LATEST_MS; atMs >= earliestMs; atMs -= BAR_MS) {
      const { low, high } = past.barAt(atMs)
      const away = Math.max(low - px, px - high, 0)
      if (away < least) [nearestMs, least] = [atMs, away]
      if (away === 0) break
    }
    return nearestMs
  }

  /** Settles money and tokens to the tape's values, whatever the history has cost. */
  private settle(timeMs: number): void {
    const { ledger } = this.context
    const { recorded } = this.owner.account
    for (const { token, total } of recorded.flatMap(({ balances = [] }) => balances))
      this.bring(token, total, timeMs)
    // Deposits of other accounts come out of the main one, which is therefore the last.
    for (const { dex, cash } of recorded.toSorted((a, b) => (a.dex < b.dex ? 1 : -1))) {
      if (cash === undefined) continue
      const account = this.account(dex)
      const more = this.missing(account, Number(cash) * 1e6)
      if (more > ZERO) ledger.topUpExactly(account, more, timeMs)
      else if (more < ZERO) ledger.withdraw(account, money(-raw(more)), timeMs)
    }
  }

  private missing(account: SubAccount, recorded: number): Usd {
    const ofDex = account.holdings.filter(({ market }) => market.isPerp)
    const paid = ofDex.reduce((sum, holding) => sum + raw(fundingPaid(holding)), 0)
    const cost = ofDex.reduce((sum, holding) => sum + raw(holding.cost), 0)
    const recordedCost = this.recordedCosts.get(account.dex) ?? 0
    return cents(recorded + paid + cost - recordedCost - raw(account.cash))
  }

  private bring(token: string, total: string, timeMs: number): void {
    const { context, owner } = this
    if (token === 'USDC') {
      const usd = cents(Number(total) * 1e6)
      if (usd > ZERO) context.ledger.topUpExactly(this.account(SPOT), usd, timeMs)
      return
    }
    const market = context.markets.find(({ isPerp, row }) => !isPerp && row.base === token)
    if (!market || market.px === ZERO) return
    const holding: Holding = context.ledger.holding(owner.agent, market)
    const amount = size(parseNearest(total, market.row.szDecimals))
    if (amount > ZERO) context.ledger.depositTokens(holding, amount, timeMs)
  }
}

/** Prints at two prices whose average is the entry price. */
function entryPrints(entryPx: string, sz: Sz, past: MarketPast, timeMs: number): TradePrint[] {
  const all = absolute(sz)
  const exact = Number(entryPx) * pow10(past.market.row.pxDecimals)
  const [low, high] = [past.within(price(Math.floor(exact)), timeMs), price(Math.ceil(exact))]
  const above = size(Math.round(raw(all) * (exact - Math.floor(exact))))
  if (raw(low) !== Math.floor(exact) || past.within(high, timeMs) !== high)
    return [{ px: past.within(price(Math.round(exact)), timeMs), sz: all }]
  const prints = [
    { px: low, sz: subtract(all, above) },
    { px: high, sz: above },
  ]
  return prints.filter((print) => print.sz > ZERO)
}

const cents = (usd: number): Usd => money(Math.round(usd / 1e4) * 1e4)

// Open orders of the tape.

/** Owner of an account of the tape. */
interface AccountOwner {
  agent: Agent
  account: AccountOfTape
}

/** Places an order at its recorded time; from the start of the tape on it waits for its price. */
function planOrder(
  context: CastingContext,
  owner: AccountOwner,
  recorded: InputOrder,
  tapeStartMs: number,
): void {
  const market = context.markets.find(({ row }) => row.coin === recorded.coin)
  if (!market || market.px === ZERO) return
  const timeMs = Math.max(recorded.placedMs, owner.agent.joinMs + 1)
  context.tasks.put(timeMs, () => {
    const order = place(context, owner, market, recorded, timeMs)
    const { triggerPx, limitPx, side, triggerCondition } = order
    const above = triggerPx === null ? side === 'A' : triggerCondition.includes('above')
    const run = (runMs: number) => reached(context, owner, market, order, runMs)
    const alarm = { px: raw(triggerPx ?? limitPx), above, run }
    const fromMs = Math.max(timeMs, tapeStartMs)
    context.tasks.put(fromMs, () => context.venue.arm(market, alarm, fromMs))
  })
}

function place(
  { orders }: CastingContext,
  { agent }: AccountOwner,
  market: MarketState,
  recorded: InputOrder,
  timeMs: number,
): LiveOrder {
  const { side, orderType, tif, reduceOnly, triggerCondition } = recorded
  const { pxDecimals, szDecimals } = market.row
  const pxOf = (text: string) => price(parseNearest(text, pxDecimals))
  return orders.place(agent, market, {
    timeMs,
    side,
    limitPx: pxOf(recorded.limitPx),
    origSz: size(parse(recorded.sz, szDecimals)),
    orderType,
    tif,
    reduceOnly,
    triggerPx: recorded.triggerPx === null ? null : pxOf(recorded.triggerPx),
    triggerCondition,
  })
}

/**
 * Handles a price reaching an order. Trades of accounts named in the tape are recorded, and none
 * may be added; other accounts get the next that fits.
 */
function reached(
  context: CastingContext,
  { agent, account }: AccountOwner,
  market: MarketState,
  order: LiveOrder,
  timeMs: number,
): void {
  if (order.endMs !== null) return
  if (account.isNamed) return context.orders.end(order, timeMs, 'canceled')
  const { side, origSz: sz, reduceOnly, triggerPx } = order
  const holding = context.ledger.holding(agent, market)
  const limitPx = triggerPx === null ? order.limitPx : null
  context.venue.submit({ holding, side, sz, reduceOnly, limitPx, order }, timeMs)
}
