import {
  add,
  usd as money,
  negate,
  raw,
  type Sz,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { szText } from '../../schema/schema.ts'
import type { Agent } from '../agents/agent.ts'
import type { Holding, MarketState, SubAccount } from '../market/market-state.ts'
import { randomHash } from '../random-values.ts'
import type { RowNumbers } from '../row-numbers.ts'
import type { RowSink } from '../writing/row-sink.ts'
import {
  type Delta,
  depositDelta,
  internalTransferDelta,
  SPOT,
  tokenDelta,
  transferDelta,
  withdrawalDelta,
} from './ledger-deltas.ts'
import { crossMargin } from './sub-account.ts'

/** A sub-account is topped up in whole amounts of this, micro-dollars. */
const TOP_UP_STEP_USD = 10e6

/** All accounts; tops them up, so that none falls below its margin unless the tape says so. */
export class Ledger {
  readonly accounts: SubAccount[] = []
  private readonly byTrader = new Map<number, Map<string, SubAccount>>()

  constructor(
    private readonly rows: RowSink,
    private readonly numbers: RowNumbers,
    private readonly random: RandomSource,
    private readonly treasury: string,
    /** Called when money has left an account. */
    private readonly onLess: (account: SubAccount, timeMs: number) => void,
  ) {}

  /** Next number for a fill or a ledger row. */
  nextId(): number {
    return this.numbers.next('movement')
  }

  /** Takes in an account as it stands, with what it holds. */
  restore(account: SubAccount): void {
    const { agent, dex } = account
    const accounts = this.byTrader.get(agent.id) ?? new Map<string, SubAccount>()
    this.byTrader.set(agent.id, accounts.set(dex, account))
    this.accounts.push(account)
  }

  /** A trader's account for a dex; made when first needed. */
  account(agent: Agent, dex: string): SubAccount {
    const accounts = this.byTrader.get(agent.id) ?? new Map<string, SubAccount>()
    this.byTrader.set(agent.id, accounts)
    const known = accounts.get(dex)
    if (known) return known
    const id = this.numbers.next('account')
    const lastMs = Math.max(agent.joinMs, this.rows.finalMs + 1)
    const state = { cash: ZERO, realised: ZERO, lastMs, awaitsLiquidation: false }
    const account: SubAccount = { id, agent: agent, dex, ...state, holdings: [] }
    accounts.set(dex, account)
    this.accounts.push(account)
    this.rows.add('account', { id, trader: agent.id, dex })
    if (dex === '' && agent.role !== 'liquidated' && agent.wealthUsd > 0)
      this.deposit(account, roundUpUsd(agent.wealthUsd), account.lastMs)
    return account
  }

  /** What a trader holds of an instrument, with its leverage and margin mode. */
  holding(agent: Agent, market: MarketState): Holding {
    const known = market.holdings.get(agent.id)
    if (known) return known
    const account = this.account(agent, market.isPerp ? market.row.dex : SPOT)
    const holding = beginHolding(account, market, this.random)
    market.holdings.set(agent.id, holding)
    account.holdings.push(holding)
    return holding
  }

  /** Adds about so much to an account, through the main one where the venue does so. */
  topUp(account: SubAccount, about: Usd, timeMs: number): void {
    this.topUpExactly(account, roundUpUsd(raw(about)), timeMs)
  }

  topUpExactly(account: SubAccount, usd: Usd, timeMs: number): void {
    if (account.dex === '') return this.deposit(account, usd, this.earlier(account, timeMs))
    const main = this.account(account.agent, '')
    const { equity, initial } = crossMargin(main)
    if (Math.min(equity - initial, raw(main.cash)) < raw(usd) * 1.02)
      this.deposit(main, roundUpUsd(raw(usd) * 1.05), this.earlier(main, timeMs))
    this.transfer(main, account, usd, Math.max(main.lastMs, this.earlier(account, timeMs)))
  }

  deposit(account: SubAccount, usd: Usd, timeMs: number): void {
    this.write(account, timeMs, usd, depositDelta(usd))
  }

  /** About so many micro-dollars. */
  depositUsd(account: SubAccount, usd: number, timeMs: number): void {
    this.deposit(account, roundUpUsd(usd), timeMs)
  }

  withdraw(account: SubAccount, usd: Usd, timeMs: number): void {
    this.write(account, timeMs, negate(usd), withdrawalDelta(usd, timeMs))
    this.onLess(account, timeMs)
  }

  /** The other way round than money that is brought: to the main account, or out of that. */
  takeOut(account: SubAccount, usd: Usd, timeMs: number): void {
    if (account.dex === '') return this.withdraw(account, usd, timeMs)
    this.transfer(account, this.account(account.agent, ''), usd, timeMs)
    this.onLess(account, timeMs)
  }

  /** One trader sends money to another; both see it. */
  internalTransfer(from: SubAccount, to: SubAccount, usd: Usd, timeMs: number): void {
    const delta = internalTransferDelta(from, to, usd)
    const hash = randomHash(this.random)
    this.write(from, timeMs, negate(usd), delta, { hash })
    this.write(to, timeMs, usd, delta, { hash })
    this.onLess(from, timeMs)
  }

  /** A ledger row that moves no money. */
  recordOnly(account: SubAccount, timeMs: number, delta: Delta): void {
    this.write(account, timeMs, ZERO, delta)
  }

  /** Spot tokens come from outside, worth what they cost now. */
  depositTokens(holding: Holding, amount: Sz, timeMs: number): void {
    const { market, account } = holding
    const worth = money(Math.round(market.value(amount)))
    holding.sz = add(holding.sz, amount)
    holding.cost = add(holding.cost, worth)
    const text = szText(market.row, amount, 1)
    const { address } = account.agent
    const delta = tokenDelta(market.row.base, text, worth, this.treasury, address)
    this.write(account, this.earlier(account, timeMs), ZERO, delta, { holding, amount })
  }

  private transfer(from: SubAccount, to: SubAccount, usd: Usd, timeMs: number): void {
    const delta = transferDelta(from, to, usd, timeMs)
    const hash = randomHash(this.random)
    this.write(from, timeMs, negate(usd), delta, { hash })
    this.write(to, timeMs, usd, delta, { hash, hidden: true })
  }

  private write(
    account: SubAccount,
    timeMs: number,
    usd: Usd,
    delta: Delta,
    extra: { hash?: string; hidden?: boolean; holding?: Holding; amount?: Sz } = {},
  ): void {
    account.cash = add(account.cash, usd)
    account.lastMs = timeMs
    const { holding, hidden = false, hash = randomHash(this.random) } = extra
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
      instrument: holding?.market.row.id ?? null,
      sz: extra.amount ?? null,
      positionAfter: holding?.sz ?? null,
      costAfter: holding?.cost ?? null,
    })
  }

  /** Some seconds before, but not before the account's latest row. */
  private earlier(account: SubAccount, timeMs: number): number {
    const earlierMs = timeMs - this.random.between(800, 45_000)
    return Math.max(account.lastMs, this.rows.finalMs + 1, earlierMs)
  }
}

const roundUpUsd = (usd: number) =>
  money(Math.max(1, Math.ceil(usd / TOP_UP_STEP_USD)) * TOP_UP_STEP_USD)

/** An empty holding, with the leverage and margin mode that its owner sets. */
function beginHolding(account: SubAccount, market: MarketState, random: RandomSource): Holding {
  return {
    account,
    market,
    sz: ZERO,
    cost: ZERO,
    funding: ZERO,
    fundingAtOpen: ZERO,
    fundingIndex: ZERO,
    ...marginSettings(account, market, random),
    position: null,
    triggers: [],
    changes: 0,
    marginAlarm: null,
    targetPx: null,
    stopPx: null,
    partlyLiquidated: false,
  }
}

function marginSettings({ agent }: SubAccount, market: MarketState, random: RandomSource) {
  const { isPerp, row } = market
  if (!isPerp) return { leverage: 1, isolated: false }
  const { leverage, isolation } = agent.style
  const isolated = random.chance(isolation)
  // On cross margin the setting only limits what is opened; on isolated it is what is borrowed.
  const wanted = leverage * (isolated ? 0.8 + 0.4 * random.unit() : 1 + 0.3 * random.unit())
  return { leverage: Math.max(1, Math.min(row.maxLeverage, Math.round(wanted))), isolated }
}
