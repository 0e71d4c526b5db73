import {
  add,
  usd as money,
  negate,
  raw,
  type Sz,
  sz,
  type Usd,
  ZERO,
} from '../../decimal/quantity.ts'
import type { Dice } from '../../random/dice.ts'
import { szText, usdText } from '../schema.ts'
import { transaction } from './chance.ts'
import { beginHolding } from './holding.ts'
import type { Holding, Market, Purse } from './market.ts'
import type { Trader } from './people.ts'
import { cross } from './purse.ts'
import type { Rows } from './rows.ts'

const SPOT = 'spot'

/** The venue's words for a movement (shapes 2.22). */
type Delta = { type: string } & Record<string, unknown>

/** A purse is filled up in whole amounts of this, micro-dollars. */
const ROUND_USD = 100e6

/** Keeps everybody's accounts, and moves money so that nobody stands under water by accident. */
export class Bank {
  readonly purses: Purse[] = []
  private readonly byTrader = new Map<number, Map<string, Purse>>()
  private ids = 0

  constructor(
    private readonly rows: Rows,
    private readonly dice: Dice,
    private readonly treasury: string,
  ) {}

  /** Next number for a fill or a ledger row. */
  nextId(): number {
    return ++this.ids
  }

  /** A trader's account for a dex; made when first asked for. */
  purse(trader: Trader, dex: string): Purse {
    const own = this.byTrader.get(trader.id) ?? new Map<string, Purse>()
    this.byTrader.set(trader.id, own)
    const known = own.get(dex)
    if (known) return known
    const id = this.purses.length + 1
    const state = { cash: ZERO, realised: ZERO, lastMs: trader.joinMs, doomed: false }
    const purse: Purse = { id, trader, dex, ...state, holdings: [] }
    own.set(dex, purse)
    this.purses.push(purse)
    this.rows.add('account', { id, trader: trader.id, dex })
    if (dex === '' && trader.role !== 'liquidated')
      this.deposit(purse, round(trader.wealthUsd), trader.joinMs)
    return purse
  }

  /** What a trader holds of an instrument, with the terms they set for it. */
  holding(trader: Trader, market: Market): Holding {
    const known = market.holdings.get(trader.id)
    if (known) return known
    const purse = this.purse(trader, market.perp ? market.row.dex : SPOT)
    const held = beginHolding(purse, market, this.dice)
    market.holdings.set(trader.id, held)
    purse.holdings.push(held)
    return held
  }

  /**
   * Sees to it that a perpetual account can take on a trade of `usd` (0: that it is safe as it is).
   */
  cover(purse: Purse, usd: number, held: Holding | null, timeMs: number): void {
    if (purse.doomed) return
    const { equity, need } = cross(purse)
    const margin = held?.isolated ? 1 / held.leverage : held ? held.market.cushion : 0
    const wanted = need + usd * (margin + 0.002)
    if (equity >= wanted && purse.cash > ZERO) return
    const target = wanted * (1.25 + 2 * this.dice.unit()) + 50e6
    this.fund(purse, round(target - equity), timeMs)
  }

  /** Brings money into an account, through the main one where the venue does so. */
  fund(purse: Purse, usd: Usd, timeMs: number): void {
    if (purse.dex === '') return this.deposit(purse, usd, this.before(purse, timeMs))
    const main = this.purse(purse.trader, '')
    const { equity, need } = cross(main)
    if (equity - 2 * need < raw(usd) * 1.1)
      this.deposit(main, round(raw(usd) * (1.2 + this.dice.unit())), this.before(main, timeMs))
    this.move(main, purse, usd, Math.max(main.lastMs, this.before(purse, timeMs)))
  }

  deposit(purse: Purse, usd: Usd, timeMs: number): void {
    this.write(purse, timeMs, usd, { type: 'deposit', usdc: usdText(usd, 1) })
  }

  withdraw(purse: Purse, usd: Usd, timeMs: number): void {
    const delta = { type: 'withdraw', usdc: usdText(usd, 1), nonce: timeMs, fee: '1.0' }
    this.write(purse, timeMs, negate(usd), delta)
  }

  /** One trader sends money to another; both see it. */
  give(from: Purse, to: Purse, usd: Usd, timeMs: number): void {
    const [user, destination] = [from.trader.address, to.trader.address]
    const delta = { type: 'internalTransfer', usdc: usdText(usd, 1), user, destination, fee: '0.0' }
    const hash = transaction(this.dice)
    this.write(from, timeMs, negate(usd), delta, { hash })
    this.write(to, timeMs, usd, delta, { hash })
  }

  /** A note in the ledger that moves nothing. */
  note(purse: Purse, timeMs: number, delta: Delta): void {
    this.write(purse, timeMs, ZERO, delta)
  }

  /** Sees to it that a spot account can pay `usd`, or deliver `sz` of a token. */
  stock(held: Holding, buys: boolean, sz: Sz, usd: number, timeMs: number): void {
    const { purse } = held
    if (raw(purse.cash) < (buys ? usd * 1.06 : 0) + 1e6)
      this.fund(purse, round(Math.max(usd * (2 + 4 * this.dice.unit()), 500e6)), timeMs)
    if (!buys && held.sz < sz) this.bring(held, sz, timeMs)
  }

  private bring(held: Holding, least: Sz, timeMs: number): void {
    const { market, purse } = held
    const lot = raw(market.survey.lot)
    const wanted = raw(least) * (5 + 25 * this.dice.unit()) - raw(held.sz)
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
      destination: purse.trader.address,
      fee: '0.0',
      nativeTokenFee: '0.0',
      nonce: null,
      feeToken: '',
    }
    this.write(purse, this.before(purse, timeMs), ZERO, delta, { held, amount })
  }

  private move(from: Purse, to: Purse, usd: Usd, timeMs: number): void {
    const amount = usdText(usd, 1)
    const user = from.trader.address
    const paths = { sourceDex: from.dex, destinationDex: to.dex, token: 'USDC' }
    const costs = { fee: '0.0', nativeTokenFee: '0.0', nonce: timeMs, feeToken: '' }
    const delta =
      to.dex === SPOT
        ? { type: 'accountClassTransfer', usdc: amount, toPerp: false }
        : { type: 'send', user, destination: user, ...paths, amount, usdcValue: amount, ...costs }
    const hash = transaction(this.dice)
    this.write(from, timeMs, negate(usd), delta, { hash })
    this.write(to, timeMs, usd, delta, { hash, echo: true })
  }

  private write(
    purse: Purse,
    timeMs: number,
    usd: Usd,
    delta: Delta,
    more: { hash?: string; echo?: boolean; held?: Holding; amount?: Sz } = {},
  ): void {
    purse.cash = add(purse.cash, usd)
    purse.lastMs = timeMs
    const { held, echo = false, hash = transaction(this.dice) } = more
    this.rows.add('ledger', {
      id: this.nextId(),
      account: purse.id,
      trader: purse.trader.id,
      timeMs,
      type: delta.type,
      usd,
      delta: JSON.stringify(delta),
      hash,
      cashAfter: purse.cash,
      echo,
      instrument: held?.market.row.id ?? null,
      sz: more.amount ?? null,
      positionAfter: held?.sz ?? null,
      costAfter: held?.cost ?? null,
    })
  }

  /** Some seconds before, but after all that the account has seen. */
  private before(purse: Purse, timeMs: number): number {
    return Math.max(purse.lastMs, timeMs - this.dice.between(800, 45_000))
  }
}

const round = (usd: number) => money(Math.max(1, Math.ceil(usd / ROUND_USD)) * ROUND_USD)
