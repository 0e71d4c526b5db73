import {
  add,
  usd as money,
  negate,
  raw,
  type Sz,
  sz as size,
  subtract,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { fundingBetween, STAKED_COIN } from '../../accounting/funding.ts'
import { SAVINGS_UNIT, STAKING, sharesFor, VAULT, type Vault } from '../../accounting/savings.ts'
import { szText, usdText } from '../../schema/schema.ts'
import { randomHash } from '../../synth/distributions.ts'
import type { Agent } from '../agents/agents.ts'
import type { Holding, MarketState, SubAccount } from '../market/market-state.ts'
import type { RowNumbers } from '../row-numbers.ts'
import type { RowSink } from '../writing/row-sink.ts'

/** Top-ups of a sub-account are multiples of this, micro-dollars. */
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

  /** Next number of a fill or a ledger row. */
  nextId(): number {
    return this.numbers.next('movement')
  }

  /** Restores an account with its holdings. */
  restore(account: SubAccount): void {
    const { agent, dex } = account
    const accounts = this.byTrader.get(agent.id) ?? new Map<string, SubAccount>()
    this.byTrader.set(agent.id, accounts.set(dex, account))
    this.accounts.push(account)
  }

  /** A trader's account for a dex; created on first use. */
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

  /** A trader's holding of an instrument, with its leverage and margin mode. */
  holding(agent: Agent, market: MarketState): Holding {
    const known = market.holdings.get(agent.id)
    if (known) return known
    const account = this.account(agent, market.isPerp ? market.row.dex : SPOT)
    const holding = beginHolding(account, market, this.random)
    market.holdings.set(agent.id, holding)
    account.holdings.push(holding)
    return holding
  }

  /** Adds an approximate amount to an account, through the main one where the venue does so. */
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

  /** Deposits an approximate amount of micro-dollars. */
  depositUsd(account: SubAccount, usd: number, timeMs: number): void {
    this.deposit(account, roundUpUsd(usd), timeMs)
  }

  withdraw(account: SubAccount, usd: Usd, timeMs: number): void {
    this.write(account, timeMs, negate(usd), withdrawalDelta(usd, timeMs))
    this.onLess(account, timeMs)
  }

  /** Reverse of a top-up: to the main account, or out of that. */
  takeOut(account: SubAccount, usd: Usd, timeMs: number): void {
    if (account.dex === '') return this.withdraw(account, usd, timeMs)
    this.transfer(account, this.account(account.agent, ''), usd, timeMs)
    this.onLess(account, timeMs)
  }

  /** Sends money from one trader to another; both get a row. */
  internalTransfer(from: SubAccount, to: SubAccount, usd: Usd, timeMs: number): void {
    const delta = internalTransferDelta(from, to, usd)
    const hash = randomHash(this.random)
    this.write(from, timeMs, negate(usd), delta, { hash })
    this.write(to, timeMs, usd, delta, { hash })
    this.onLess(from, timeMs)
  }

  /** A trader sends money to its sub-account. */
  payIn(from: SubAccount, to: SubAccount, usd: Usd, timeMs: number): void {
    const delta = subAccountDelta(from, to, usd)
    const hash = randomHash(this.random)
    this.write(from, timeMs, negate(usd), delta, { hash })
    this.write(to, timeMs, usd, delta, { hash })
    this.onLess(from, timeMs)
  }

  /** Tokens come from outside and are staked. */
  stake(agent: Agent, tokens: number, worth: Usd, timeMs: number): void {
    const account = this.account(agent, STAKING)
    const amount = tokens.toFixed(1)
    const came = tokenDelta(STAKED_COIN, amount, worth, this.treasury, agent.address)
    const units = money(Math.round(tokens * SAVINGS_UNIT))
    this.write(account, timeMs, worth, came, { units })
    this.write(account, timeMs, ZERO, stakingDelta(amount))
    agent.staked = tokens
  }

  /** Money of the main account buys shares of a vault. */
  invest(agent: Agent, usd: Usd, vault: Vault, timeMs: number): void {
    const [main, shares] = [this.account(agent, ''), this.account(agent, VAULT)]
    const delta = { type: 'vaultDeposit', vault: vault.address, usdc: usdText(usd, 1) }
    const hash = randomHash(this.random)
    const units = money(sharesFor(raw(usd), vault.sharePx(timeMs)))
    this.write(main, timeMs, negate(usd), delta, { hash })
    this.write(shares, timeMs, usd, delta, { hash, hidden: true, units })
    this.onLess(main, timeMs)
  }

  /** A ledger row that moves no money. */
  recordOnly(account: SubAccount, timeMs: number, delta: Delta): void {
    this.write(account, timeMs, ZERO, delta)
  }

  /** Deposits spot tokens from outside, valued at the present price. */
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
    extra: {
      hash?: string
      hidden?: boolean
      holding?: Holding
      amount?: Sz
      /** The change of the balance, where it does not count dollars. */
      units?: Usd
    } = {},
  ): void {
    account.cash = add(account.cash, extra.units ?? usd)
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

  /** An instant some seconds before, but not before the account's latest row. */
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
  // On cross margin the setting only limits opening; on isolated it is the leverage used.
  const wanted = leverage * (isolated ? 0.8 + 0.4 * random.unit() : 1 + 0.3 * random.unit())
  return { leverage: Math.max(1, Math.min(row.maxLeverage, Math.round(wanted))), isolated }
}

/** The dex of an account that holds spot tokens. */
export const SPOT = 'spot'

/** A movement of money or tokens as the venue's JSON describes it. */
type Delta = { type: string } & Record<string, unknown>

/** Money from outside. */
function depositDelta(usd: Usd): Delta {
  return { type: 'deposit', usdc: usdText(usd, 1) }
}

/** A withdrawal; its nonce is its time. */
function withdrawalDelta(usd: Usd, timeMs: number): Delta {
  return { type: 'withdraw', usdc: usdText(usd, 1), nonce: timeMs, fee: '1.0' }
}

/** A liquidation of which nothing has been closed yet: it moves no money. */
export function liquidationDelta(
  { market, sz, isolated }: Pick<Holding, 'market' | 'sz' | 'isolated'>,
  { value, equity }: { value: Usd; equity: Usd },
): Delta {
  return {
    type: 'liquidation',
    liquidatedNtlPos: usdText(value, 1),
    accountValue: usdText(equity, 1),
    leverageType: isolated ? 'Isolated' : 'Cross',
    liquidatedPositions: [{ coin: market.row.coin, szi: szText(market.row, sz, 1) }],
  }
}

/** Money sent from one trader to another. */
function internalTransferDelta(from: SubAccount, to: SubAccount, usd: Usd): Delta {
  const [user, destination] = [from.agent.address, to.agent.address]
  return { type: 'internalTransfer', usdc: usdText(usd, 1), user, destination, fee: '0.0' }
}

/** Money that a trader sends to its own sub-account. */
function subAccountDelta(from: SubAccount, to: SubAccount, usd: Usd): Delta {
  const [user, destination] = [from.agent.address, to.agent.address]
  return { type: 'subAccountTransfer', usdc: usdText(usd, 1), user, destination }
}

/** Tokens that move from spot into staking. */
function stakingDelta(amount: string): Delta {
  return { type: 'cStakingTransfer', token: STAKED_COIN, amount, isDeposit: true }
}

/** Money between two accounts of one trader. */
function transferDelta(from: SubAccount, to: SubAccount, usd: Usd, timeMs: number): Delta {
  const amount = usdText(usd, 1)
  if (to.dex === SPOT) return { type: 'accountClassTransfer', usdc: amount, toPerp: false }
  const user = from.agent.address
  return {
    type: 'send',
    user,
    destination: user,
    sourceDex: from.dex,
    destinationDex: to.dex,
    token: 'USDC',
    amount,
    usdcValue: amount,
    fee: '0.0',
    nativeTokenFee: '0.0',
    nonce: timeMs,
    feeToken: '',
  }
}

/** Spot tokens, `amount` of them worth `usd`, sent by `user`. */
function tokenDelta(
  token: string,
  amount: string,
  usd: Usd,
  user: string,
  destination: string,
): Delta {
  return {
    type: 'spotTransfer',
    token,
    amount,
    usdcValue: usdText(usd, 1),
    user,
    destination,
    fee: '0.0',
    nativeTokenFee: '0.0',
    nonce: null,
    feeToken: '',
  }
}

/** Funding paid on a holding so far, settled or not. */
export function fundingPaid(holding: Holding): Usd {
  if (!holding.market.isPerp) return ZERO
  const { row, fundingIndex } = holding.market
  return add(holding.funding, fundingBetween(holding.sz, holding.fundingIndex, fundingIndex, row))
}

/** The same in floating point, for decisions, which are far more frequent than payments. */
function approximateFundingPaid(holding: Holding): number {
  const { market, sz, fundingIndex, funding } = holding
  if (sz === ZERO || fundingIndex === market.fundingIndex) return raw(funding)
  const step = raw(subtract(market.fundingIndex, fundingIndex))
  return raw(funding) + raw(sz) * step * market.fundingFactor
}

/** Equity of one isolated position at the market's price; funding is settled as it changes. */
export function isolatedEquity(holding: Holding): number {
  const cost = raw(holding.cost)
  const margin = Math.abs(cost) / holding.leverage
  const paid = approximateFundingPaid(holding) - raw(holding.funding)
  return margin + holding.market.marginValue(holding.sz) - cost - paid
}

/** Margin of a perpetual account's cross positions, micro-dollars. */
interface CrossMargin {
  equity: number
  /** Maintenance and initial margin that the venue requires. */
  maintenance: number
  initial: number
  /** Number of open cross positions. */
  positions: number
}

export function crossMargin(account: SubAccount): CrossMargin {
  const sums = { equity: raw(account.cash), maintenance: 0, initial: 0, positions: 0 }
  for (const holding of account.holdings) {
    const { sz, market } = holding
    if (sz === ZERO) sums.equity -= raw(holding.funding)
    else if (holding.isolated)
      sums.equity -= Math.abs(raw(holding.cost)) / holding.leverage + raw(holding.funding)
    else {
      const value = market.marginValue(sz)
      sums.equity += value - raw(holding.cost) - approximateFundingPaid(holding)
      sums.maintenance += Math.abs(value) * market.maintenanceRate
      sums.initial += Math.abs(value) / holding.leverage
      sums.positions++
    }
  }
  return sums
}

/** Total account value, isolated positions included. */
export function accountEquity(account: SubAccount): number {
  let equity = crossMargin(account).equity
  for (const holding of account.holdings)
    if (holding.isolated && holding.sz !== ZERO) equity += isolatedEquity(holding)
  return equity
}

/** Upper bound of a trade's fees. */
const FEE_SHARE = 0.002
/** Spare funds after a top-up. */
const SPARE = { share: 1.03, usd: 5e6 }
/** Funds of an account that stay exact with what it is still paid. */
const MOST_CASH = 0.95 * Number.MAX_SAFE_INTEGER
/** Deposit that saves a position, as a multiple of the maintenance margin. */
const SUPPORT = 1.6

/** Ensures that accounts can pay for and deliver what they trade. */
export class AccountFunds {
  constructor(
    private readonly ledger: Ledger,
    private readonly random: RandomSource,
  ) {}

  /** Call before a trade. */
  ensure(holding: Holding, side: 'B' | 'A', sz: Sz, timeMs: number): void {
    const usd = holding.market.value(sz)
    if (holding.market.isPerp) return this.ensureMargin(holding, side, usd, timeMs)
    this.ensureSpot(holding, side === 'B', sz, usd, timeMs)
  }

  /** Deposits money so that a position is not liquidated. */
  support(account: SubAccount, timeMs: number): void {
    const { equity, maintenance, initial } = crossMargin(account)
    const target = Math.max(SUPPORT * maintenance, 0.5 * (maintenance + initial))
    this.ledger.topUp(account, money(Math.max(Math.ceil(target - equity), 1)), timeMs)
  }

  private ensureMargin(holding: Holding, side: 'B' | 'A', usd: number, timeMs: number): void {
    const { account, sz, leverage } = holding
    if (account.awaitsLiquidation) return
    const reduces = sz !== ZERO && sz > ZERO === (side === 'A')
    const held = Math.abs(holding.market.value(sz))
    const added = reduces ? Math.max(0, usd - 2 * held) : usd
    if (added === 0 && account.cash > ZERO) return
    const { equity, initial, maintenance } = crossMargin(account)
    const open = added > 0 ? Math.max(initial, maintenance) : maintenance
    const wanted = open + added / leverage + usd * FEE_SHARE
    if (equity >= wanted && account.cash > ZERO) return
    const missing = wanted * SPARE.share - equity + SPARE.usd
    this.ledger.topUp(account, money(Math.ceil(missing)), timeMs)
  }

  private ensureSpot(holding: Holding, buys: boolean, sz: Sz, usd: number, timeMs: number): void {
    const { account, market } = holding
    if (raw(account.cash) < (buys ? usd * 1.06 : 0) + 1e6) {
      const spare = Math.max(usd * (1.5 + 2 * this.random.unit()), 100e6)
      // A purchase of billions of won leaves less room than that.
      const wanted = Math.min(spare, Math.max(MOST_CASH - raw(account.cash), usd * 1.06))
      this.ledger.topUp(account, money(Math.ceil(wanted)), timeMs)
    }
    if (buys || holding.sz >= sz) return
    const lot = raw(market.survey.lot)
    const share = Math.min(2 + 4 * this.random.unit(), Math.max(MOST_CASH / usd, 1))
    const wanted = raw(sz) * share - raw(holding.sz)
    this.ledger.depositTokens(holding, size(Math.ceil(wanted / lot) * lot), timeMs)
  }
}
