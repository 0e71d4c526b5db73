import {
  add,
  usd as money,
  negate,
  raw,
  type Sz,
  sz,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { szText, usdText } from '../../schema.ts'
import type { Agent } from '../agents/agents.ts'
import type { Holding, MarketState, SubAccount } from '../market/market-state.ts'
import { randomHash } from '../random-values.ts'
import type { RowSink } from '../writing/row-sink.ts'
import { beginHolding } from './initial-holding.ts'
import { crossMargin } from './sub-account.ts'

const SPOT = 'spot'

/** The venue's words for a movement (shapes 2.22). */
type Delta = { type: string } & Record<string, unknown>

/** A sub-account is topped up in whole amounts of this, micro-dollars. */
const TOP_UP_STEP_USD = 100e6

/** Keeps everybody's accounts, and moves money so that nobody stands under water by accident. */
export class Ledger {
  readonly accounts: SubAccount[] = []
  private readonly byTrader = new Map<number, Map<string, SubAccount>>()
  private ids = 0

  constructor(
    private readonly rows: RowSink,
    private readonly random: RandomSource,
    private readonly treasury: string,
  ) {}

  /** Next number for a fill or a ledger row. */
  nextId(): number {
    return ++this.ids
  }

  /** A trader's account for a dex; made when first asked for. */
  account(trader: Agent, dex: string): SubAccount {
    const own = this.byTrader.get(trader.id) ?? new Map<string, SubAccount>()
    this.byTrader.set(trader.id, own)
    const known = own.get(dex)
    if (known) return known
    const id = this.accounts.length + 1
    const state = { cash: ZERO, realised: ZERO, lastMs: trader.joinMs, awaitsLiquidation: false }
    const account: SubAccount = { id, agent: trader, dex, ...state, holdings: [] }
    own.set(dex, account)
    this.accounts.push(account)
    this.rows.add('account', { id, trader: trader.id, dex })
    if (dex === '' && trader.role !== 'liquidated')
      this.deposit(account, roundUpUsd(trader.wealthUsd), trader.joinMs)
    return account
  }

  /** What a trader holds of an instrument, with the terms they set for it. */
  holding(trader: Agent, market: MarketState): Holding {
    const known = market.holdings.get(trader.id)
    if (known) return known
    const account = this.account(trader, market.isPerp ? market.row.dex : SPOT)
    const held = beginHolding(account, market, this.random)
    market.holdings.set(trader.id, held)
    account.holdings.push(held)
    return held
  }

  /**
   * Sees to it that a perpetual account can take on a trade of `usd` (0: that it is safe as it is).
   */
  ensureMargin(account: SubAccount, usd: number, held: Holding | null, timeMs: number): void {
    if (account.awaitsLiquidation) return
    const { equity, need } = crossMargin(account)
    const margin = held?.isolated ? 1 / held.leverage : held ? held.market.marginCushion : 0
    const wanted = need + usd * (margin + 0.002)
    if (equity >= wanted && account.cash > ZERO) return
    const target = wanted * (1.25 + 2 * this.random.unit()) + 50e6
    this.topUp(account, roundUpUsd(target - equity), timeMs)
  }

  /** Brings money into an account, through the main one where the venue does so. */
  topUp(account: SubAccount, usd: Usd, timeMs: number): void {
    if (account.dex === '') return this.deposit(account, usd, this.earlier(account, timeMs))
    const main = this.account(account.agent, '')
    const { equity, need } = crossMargin(main)
    if (equity - 2 * need < raw(usd) * 1.1)
      this.deposit(
        main,
        roundUpUsd(raw(usd) * (1.2 + this.random.unit())),
        this.earlier(main, timeMs),
      )
    this.transfer(main, account, usd, Math.max(main.lastMs, this.earlier(account, timeMs)))
  }

  deposit(account: SubAccount, usd: Usd, timeMs: number): void {
    this.write(account, timeMs, usd, { type: 'deposit', usdc: usdText(usd, 1) })
  }

  withdraw(account: SubAccount, usd: Usd, timeMs: number): void {
    const delta = { type: 'withdraw', usdc: usdText(usd, 1), nonce: timeMs, fee: '1.0' }
    this.write(account, timeMs, negate(usd), delta)
  }

  /** One trader sends money to another; both see it. */
  internalTransfer(from: SubAccount, to: SubAccount, usd: Usd, timeMs: number): void {
    const [user, destination] = [from.agent.address, to.agent.address]
    const delta = { type: 'internalTransfer', usdc: usdText(usd, 1), user, destination, fee: '0.0' }
    const hash = randomHash(this.random)
    this.write(from, timeMs, negate(usd), delta, { hash })
    this.write(to, timeMs, usd, delta, { hash })
  }

  /** A note in the ledger that moves nothing. */
  recordOnly(account: SubAccount, timeMs: number, delta: Delta): void {
    this.write(account, timeMs, ZERO, delta)
  }

  /** Sees to it that a spot account can pay `usd`, or deliver `sz` of a token. */
  ensureSpotFunds(held: Holding, buys: boolean, sz: Sz, usd: number, timeMs: number): void {
    const { account } = held
    if (raw(account.cash) < (buys ? usd * 1.06 : 0) + 1e6)
      this.topUp(account, roundUpUsd(Math.max(usd * (2 + 4 * this.random.unit()), 500e6)), timeMs)
    if (!buys && held.sz < sz) this.depositTokens(held, sz, timeMs)
  }

  private depositTokens(held: Holding, least: Sz, timeMs: number): void {
    const { market, account } = held
    const lot = raw(market.survey.lot)
    const wanted = raw(least) * (5 + 25 * this.random.unit()) - raw(held.sz)
    const amount = sz(Math.ceil(wanted / lot) * lot)
    const worth = money(Math.round(market.value(amount)))
    held.sz = add(held.sz, amount)
    held.cost = add(held.cost, worth)
    const text = szText(market.row, amount, 1)
    const delta = {
      type: 'spotTransfer',
      token: market.row.base,
      amount: text,
      usdcValue: usdText(worth, 1),
      user: this.treasury,
      destination: account.agent.address,
      fee: '0.0',
      nativeTokenFee: '0.0',
      nonce: null,
      feeToken: '',
    }
    this.write(account, this.earlier(account, timeMs), ZERO, delta, { held, amount })
  }

  private transfer(from: SubAccount, to: SubAccount, usd: Usd, timeMs: number): void {
    const amount = usdText(usd, 1)
    const user = from.agent.address
    const paths = { sourceDex: from.dex, destinationDex: to.dex, token: 'USDC' }
    const costs = { fee: '0.0', nativeTokenFee: '0.0', nonce: timeMs, feeToken: '' }
    const delta =
      to.dex === SPOT
        ? { type: 'accountClassTransfer', usdc: amount, toPerp: false }
        : { type: 'send', user, destination: user, ...paths, amount, usdcValue: amount, ...costs }
    const hash = randomHash(this.random)
    this.write(from, timeMs, negate(usd), delta, { hash })
    this.write(to, timeMs, usd, delta, { hash, hidden: true })
  }

  private write(
    account: SubAccount,
    timeMs: number,
    usd: Usd,
    delta: Delta,
    more: { hash?: string; hidden?: boolean; held?: Holding; amount?: Sz } = {},
  ): void {
    account.cash = add(account.cash, usd)
    account.lastMs = timeMs
    const { held, hidden = false, hash = randomHash(this.random) } = more
    this.rows.add('ledger', {
      id: this.nextId(),
      account: account.id,
      trader: account.agent.id,
      timeMs,
      type: delta.type,
      usd,
      delta: JSON.stringify(delta),
      hash,
      cashAfter: account.cash,
      hidden,
      instrument: held?.market.row.id ?? null,
      sz: more.amount ?? null,
      positionAfter: held?.sz ?? null,
      costAfter: held?.cost ?? null,
    })
  }

  /** Some seconds before, but after all that the account has seen. */
  private earlier(account: SubAccount, timeMs: number): number {
    return Math.max(account.lastMs, timeMs - this.random.between(800, 45_000))
  }
}

const roundUpUsd = (usd: number) =>
  money(Math.max(1, Math.ceil(usd / TOP_UP_STEP_USD)) * TOP_UP_STEP_USD)
