/** Accounts whose money is not in two wallets alone: unified, borrowed, staked, in a vault. */
import { usd as money, raw, ZERO } from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { stakedInstrument, stakedValue, type Vault } from '../accounting/savings.ts'
import type { Agent } from '../casting/agents/agents.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import type { Role } from '../schema/schema.ts'
import { logUniform } from '../synth/distributions.ts'
import type { OrderValue, PersonaPlanner, PersonaTrader } from './persona-planner.ts'

const VALUE: OrderValue = { ofHour: 0.01, leastUsd: 5_000, mostUsd: 40_000 }

/** Holds a position, and has closed one before. */
function planPositions(planner: PersonaPlanner, trader: PersonaTrader): void {
  const { random, startMs, dayMs } = planner
  for (const past of planner.perps.slice(0, 2)) {
    const sz = planner.size(past, VALUE)
    const side = random.chance(0.5) ? 'B' : 'A'
    const openMs = Math.floor(startMs - (6 + 3 * random.unit()) * dayMs)
    const closeMs = openMs + Math.floor((1 + random.unit()) * dayMs)
    const heldMs = Math.floor(startMs - (2 + 10 * random.unit()) * (dayMs / 24) * 2)
    trader.plan([
      { past, timeMs: openMs, side, sz },
      { past, timeMs: closeMs, side: side === 'B' ? 'A' : 'B', sz },
      { past, timeMs: heldMs, side, sz },
    ])
  }
}

/** Shares one margin between spot and perpetuals. */
export function planUnified(planner: PersonaPlanner): void {
  const trader = planner.trader('unified', 'quiet', 120_000, 4, false, { mode: 'unified' })
  planPositions(planner, trader)
}

/** Lends some of its money to a vault, and stakes tokens. */
export function planDepositor(planner: PersonaPlanner, vault: Vault): void {
  const trader = planner.trader('depositor', 'quiet', 240_000, 4)
  const { context } = planner
  const { agent } = trader
  context.tasks.put(agent.joinMs, (_, timeMs) => {
    invest(context, agent, 90_000, vault, timeMs)
    stake(context, agent, 25_000, timeMs)
  })
  planPositions(planner, trader)
}

/** Moves more dollars out of its spot account than that has. */
export function planBorrower(planner: PersonaPlanner): void {
  const trader = planner.trader('borrower', 'quiet', 90_000, 4)
  const { context, startMs, dayMs } = planner
  const borrowMs = Math.floor(startMs - 20 * dayMs)
  context.tasks.put(borrowMs, (_, timeMs) => {
    const spot = context.ledger.account(trader.agent, 'spot')
    context.ledger.takeOut(spot, money(35_000e6), timeMs)
  })
  planPositions(planner, trader)
}

/** Gets what it trades with from the depositor. */
export function planSubAccount(planner: PersonaPlanner): void {
  const { context, startMs, dayMs } = planner
  const master = context.agents.all.find(({ persona }) => persona === 'depositor')
  if (!master) return
  const given = { mode: master.mode, master: master.id }
  const trader = planner.trader('subAccount', 'quiet', 0, 4, false, given)
  context.tasks.put(Math.floor(startMs - 15 * dayMs), (_, timeMs) => {
    const { ledger } = context
    const [from, to] = [ledger.account(master, ''), ledger.account(trader.agent, '')]
    ledger.payIn(from, to, money(60_000e6), Math.max(timeMs, from.lastMs, to.lastMs))
  })
  planPositions(planner, trader)
}

/** Of the roles of those who are drawn. */
const SAVERS: ReadonlySet<Role> = new Set<Role>([
  'maker',
  'whale',
  'scalper',
  'twap',
  'swing',
  'builderUser',
  'quiet',
])

/** Shares of accounts with vault shares and with stakes, and their maximum part of the equity. */
const VAULT_SHARE = { part: 0.18, least: 0.02, most: 0.35 }
const STAKED_SHARE = { part: 0.2, least: 0.01, most: 0.25 }

/** Has many of the seeded traders stake and invest when they join, with money of its own. */
export function planSavings(context: CastingContext, vault: Vault, random: RandomSource): void {
  for (const agent of context.agents.all) {
    if (agent.persona !== null || !SAVERS.has(agent.role) || agent.wealthUsd === 0) continue
    const own = random.fork(agent.address)
    const [invests, stakes] = [own.chance(VAULT_SHARE.part), own.chance(STAKED_SHARE.part)]
    const part = (of: { least: number; most: number }) =>
      (agent.wealthUsd / 1e6) * logUniform(own, of.least, of.most)
    const [invested, staked] = [part(VAULT_SHARE), part(STAKED_SHARE)]
    if (!invests && !stakes) continue
    context.tasks.put(agent.joinMs, (_, timeMs) => {
      if (invests) invest(context, agent, invested, vault, timeMs)
      if (stakes) stake(context, agent, staked, timeMs)
    })
  }
}

/** Deposits so many dollars and buys shares with them. */
function invest(
  { ledger }: CastingContext,
  agent: Agent,
  usd: number,
  vault: Vault,
  timeMs: number,
) {
  const amount = money(Math.max(100, Math.ceil(usd / 10) * 10) * 1e6)
  const main = ledger.account(agent, '')
  const dueMs = Math.max(timeMs, main.lastMs)
  ledger.deposit(main, amount, dueMs)
  ledger.invest(agent, amount, vault, dueMs)
}

/** Stakes tokens worth so many dollars, where their coin has a price. */
function stake(context: CastingContext, agent: Agent, usd: number, timeMs: number): void {
  const of = stakedInstrument(context.markets.map(({ row }) => row))
  const market = of && context.markets[of.id]
  if (!market || market.px === ZERO) return
  context.venue.updatePrice(market, timeMs)
  const unit = 10 ** -of.pxDecimals * raw(market.px)
  const tokens = Math.max(10, Math.round((usd / unit) * 10) / 10)
  const { ledger, feeDays } = context
  const main = ledger.account(agent, '')
  const worth = stakedValue(Math.round(tokens * 1e6), raw(market.px), of)
  ledger.stake(agent, tokens, worth, Math.max(timeMs, main.lastMs))
  feeDays.forget(agent)
}
