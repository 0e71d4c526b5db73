import { DAY_MS, HOUR_MS } from '../../../clock/instant.ts'
import { absolute, lesser, raw, type Sz, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { activityAt } from '../../bars/market-regimes.ts'
import { logUniform, randomClientId } from '../../synth/distributions.ts'
import { mixedWord } from '../../world/crowd-address.ts'
import type { CastingContext } from '../casting-context.ts'
import { accountEquity, crossMargin } from '../ledger/ledger.ts'
import { type Holding, type MarketState, quotedPx, quoteOnce } from '../market/market-state.ts'
import type { LiveOrder } from '../matching/order-manager.ts'
import type { Agent } from './agents.ts'

/** Starts all agents at an instant, or when they join; from then on they plan their own actions. */
export function beginTrading(context: CastingContext, random: RandomSource, fromMs: number): void {
  const since = ({ joinMs }: Agent) => Math.max(joinMs, fromMs)
  const { agents, markets } = context
  const makers = new Makers(context, random.fork('makers'))
  const traders = new Traders(context, random.fork('traders'))
  const twaps = new TwapTraders(context, random.fork('twaps'))
  for (const market of markets)
    if (market.px !== ZERO)
      for (const agent of agents.makersOf(market)) makers.begin(agent, market, since(agent))
  for (const agent of agents.all)
    if (agent.isPlanned) continue
    else if (agent.role === 'twap') twaps.begin(agent, since(agent))
    else if (agent.role !== 'maker') traders.begin(agent, since(agent))
  const errands = random.fork('errands')
  const run = (timeMs: number): void => {
    context.transfers.run(timeMs)
    plan(timeMs)
  }
  const plan = (timeMs: number) => {
    const nextMs = Math.ceil(timeMs - TRANSFER_MS * Math.log(1 - errands.unit()))
    context.tasks.put(nextMs, () => run(nextMs))
  }
  plan(fromMs)
}

/** Mean time between transfers. */
const TRANSFER_MS = 0.28 * HOUR_MS

/** Fills of a maker in one market a day: a power law. */
const FILLS_PER_DAY = { least: 9, exponent: 1.3, most: 140 }
/** Size of a quote relative to equity, and the inventory limit. */
const QUOTE_SHARE = 0.2
const INVENTORY_MAX = 1
/** Probability that a quote closes exactly the inventory. */
const FLATTENS = 0.7
/** Quotes are at most the turnover of so many seconds. */
const QUOTE_SECONDS = 40

/** Makers: they quote both sides, skew against their inventory, and reduce it beyond a limit. */
class Makers {
  constructor(
    private readonly context: CastingContext,
    private readonly random: RandomSource,
  ) {}

  /** Starts an agent's quotes in one market. */
  begin(agent: Agent, market: MarketState, fromMs: number): void {
    const { least, exponent, most } = FILLS_PER_DAY
    const habits = this.context.agents.habitsOf(agent).fork(market.row.coin)
    const perDay = Math.min(most, least * (1 - habits.unit()) ** (-1 / exponent))
    this.plan(agent, market, perDay, fromMs)
  }

  private plan(agent: Agent, market: MarketState, perDay: number, fromMs: number): void {
    const meanMs = DAY_MS / perDay / activityAt('always', fromMs)
    const timeMs = Math.ceil(fromMs - meanMs * Math.log(1 - this.random.unit()))
    this.context.tasks.put(timeMs, () => {
      this.quote(agent, market, timeMs)
      this.plan(agent, market, perDay, timeMs)
    })
  }

  private quote(agent: Agent, market: MarketState, timeMs: number): void {
    const { context, random } = this
    context.venue.updatePrice(market, timeMs)
    const holding = context.ledger.holding(agent, market)
    const equity = Math.max(crossMargin(holding.account).equity, 0.1 * agent.wealthUsd)
    const inventory = market.value(holding.sz) / (equity * INVENTORY_MAX)
    if (market.isPerp && Math.abs(inventory) > 1) return this.shed(holding, timeMs)
    const most = market.survey.usdPerSecond * QUOTE_SECONDS
    const usd = Math.min(equity * QUOTE_SHARE * logUniform(random, 0.3, 1.6), most)
    const bid = this.offered(holding, usd * (1 - Math.max(0, inventory)), true)
    const ask = this.offered(holding, usd * (1 + Math.min(0, inventory)), false)
    context.venue.quote(
      {
        holding,
        bid: { px: quotedPx(market, 'B'), sz: bid },
        ask: { px: quotedPx(market, 'A'), sz: ask },
      },
      timeMs,
    )
  }

  private offered({ market, sz }: Holding, usd: number, buys: boolean): Sz {
    const offered = usd < 10e6 ? ZERO : market.sizeFor(usd)
    const reduces = sz !== ZERO && sz < ZERO === buys
    if (!market.isPerp && !buys) return lesser(offered, sz)
    if (!reduces) return offered
    const held = absolute(sz)
    return raw(held) < 4 * raw(offered) && this.random.chance(FLATTENS) ? held : offered
  }

  private shed(holding: Holding, timeMs: number): void {
    const { market } = holding
    const sz = lesser(absolute(holding.sz), market.sizeFor(Math.abs(market.value(holding.sz)) / 2))
    const side = holding.sz > ZERO ? 'A' : 'B'
    this.context.venue.submit({ holding, side, sz, reduceOnly: true, limitPx: null }, timeMs)
  }
}

/** Moves of fewer standard deviations are no signal. */
const SIGNAL_MIN = 0.4
/** Probability that a trader adds to an existing position. */
const ADDS = 0.12
/** Positions are limited to the turnover in this part of the intended holding time. */
const HOLDING_PART = 0.12
const HOLDING_SECONDS = { min: 8, max: 900 }
/** Below this share of the first deposit, a trader is ruined. */
const RUINED = 0.12
const CONFIDENCE_LEAST = 0.1
/** Daily factor on stakes. */
const MOOD = { least: 0.3, more: 1.9 }

/** Traders who open positions by price signals, and the sizes of their stakes. */
class Traders {
  constructor(
    private readonly context: CastingContext,
    private readonly random: RandomSource,
  ) {}

  /** Starts an agent's search for trades in some of the markets. */
  begin(agent: Agent, fromMs: number): void {
    const markets = this.marketsOf(agent)
    if (markets.length > 0) this.plan(agent, markets, fromMs)
  }

  private plan(agent: Agent, markets: readonly MarketState[], fromMs: number): void {
    const meanMs = DAY_MS / agent.style.tradesPerDay / activityAt('always', fromMs)
    const timeMs = Math.ceil(fromMs - meanMs * Math.log(1 - this.random.unit()))
    this.context.tasks.put(timeMs, () => {
      this.look(agent, this.random.pick(markets), timeMs)
      this.plan(agent, markets, timeMs)
    })
  }

  private marketsOf(agent: Agent): MarketState[] {
    const { context } = this
    const random = context.agents.habitsOf(agent)
    const traded = context.markets.filter(({ px }) => px !== ZERO)
    const count = agent.role === 'whale' || agent.role === 'scalper' ? 3 : random.between(1, 5)
    return Array.from({ length: traded.length > 0 ? count : 0 }, () => drawMarket(traded, random))
  }

  private look(agent: Agent, market: MarketState, timeMs: number): void {
    const { context, random } = this
    const { style } = agent
    context.venue.updatePrice(market, timeMs)
    const holding = context.ledger.holding(agent, market)
    if (holding.account.awaitsLiquidation || this.isRuined(holding, timeMs)) return
    if (!market.isPerp) return this.lookAtSpot(holding, timeMs)
    const open = holding.account.holdings.filter(({ sz }) => sz !== ZERO).length
    if (holding.sz === ZERO ? open >= style.positionsMax : !random.chance(ADDS)) return
    const side = holding.sz === ZERO ? this.side(agent, market) : holding.sz > ZERO ? 'B' : 'A'
    if (!random.chance(this.confidence(agent))) return
    const sz = this.entrySize(holding, open, timeMs)
    if (sz > ZERO) this.enter(holding, side, sz, timeMs)
  }

  private side({ style }: Agent, market: MarketState): 'B' | 'A' {
    const { memory } = market
    const move = memory.returnOver(style.lookbackMin, raw(market.px))
    const strength = move / memory.deviation(style.lookbackMin * 60_000)
    if (style.signal === 'chance' || Math.abs(strength) < SIGNAL_MIN)
      return this.random.chance(0.5) ? 'B' : 'A'
    return strength > 0 === (style.signal === 'momentum') ? 'B' : 'A'
  }

  /** Largest size that equity, leverage and the market's turnover allow. */
  private entrySize(holding: Holding, open: number, timeMs: number): Sz {
    const { market, account, isolated, leverage } = holding
    const { style } = account.agent
    const { equity, initial } = crossMargin(account)
    const free = account.dex === '' ? equity - initial : account.agent.wealthUsd / 4
    const share = open > 0 || holding.sz !== ZERO ? 0.5 : 0.55 + 0.4 * this.random.unit()
    const times = Math.min(isolated ? leverage : style.leverage, market.row.maxLeverage)
    const stake = Math.exp(-style.stakeSpread * Math.abs(this.random.normal()))
    const staked = Math.min(1, share * stake * moodOf(account.agent.id, timeMs))
    const wanted = Math.max(0, free) * staked * times * 0.95
    const most = this.mostUsd(holding)
    const usd = Math.min(wanted, most - Math.abs(market.value(holding.sz)))
    return usd < 10e6 ? ZERO : market.sizeFor(usd)
  }

  private mostUsd({ market, account }: Holding): number {
    const { min, max } = HOLDING_SECONDS
    const seconds = (account.agent.style.holdMs / 1000) * HOLDING_PART
    return market.survey.usdPerSecond * Math.min(max, Math.max(min, seconds))
  }

  private enter(holding: Holding, side: 'B' | 'A', sz: Sz, timeMs: number): void {
    const { context, random } = this
    const { market, account } = holding
    const { style } = account.agent
    if (!random.chance(style.patience))
      return context.venue.submit({ holding, side, sz, reduceOnly: false, limitPx: null }, timeMs)
    if (random.chance(style.atTouch)) return quoteOnce(context.venue, holding, side, sz, timeMs)
    const away = 0.35 * random.unit() * market.memory.deviation(style.holdMs)
    const step = market.stepAt(raw(market.px))
    const distance = Math.max(away * raw(market.px), step)
    const limit = raw(market.px) + (side === 'B' ? -distance : distance)
    const wanted = { limitPx: market.onTick(Math.max(limit, step)), origSz: sz }
    const place = market.room.placeOf(side, wanted, market.survey.lot) ?? wanted
    if (market.touch.crosses(side, place.limitPx))
      return context.venue.submit({ holding, side, sz, reduceOnly: false, limitPx: null }, timeMs)
    const order = context.orders.place(account.agent, market, {
      timeMs,
      side,
      ...place,
      cloid: random.chance(0.2) ? randomClientId(random) : null,
    })
    context.orders.expire(order, Math.floor(timeMs + 5_000 + style.holdMs * random.unit()))
    this.await(holding, order, timeMs)
  }

  /** Fills the order when the price reaches it, if its owner still wants it. */
  private await(holding: Holding, order: LiveOrder, timeMs: number): void {
    const { market } = holding
    const { changes } = holding
    const { side, limitPx, origSz: sz } = order
    const run = (dueMs: number) => {
      if (order.endMs !== null || (order.plannedMs ?? dueMs) <= dueMs) return
      if (holding.changes !== changes) return this.context.orders.end(order, dueMs, 'canceled')
      const wish = { holding, side, sz, reduceOnly: false, limitPx, order }
      this.context.venue.submit(wish, dueMs)
    }
    this.context.venue.arm(market, { px: raw(limitPx), above: side === 'A', run }, timeMs)
  }

  private lookAtSpot(holding: Holding, timeMs: number): void {
    const { context, random } = this
    const { market, account } = holding
    const usd = Math.min(
      account.agent.wealthUsd * (0.02 + 0.1 * random.unit()),
      this.mostUsd(holding),
    )
    const sells = holding.sz > ZERO && random.chance(0.55)
    const wanted = market.sizeFor(usd)
    const sz = sells && wanted > holding.sz ? holding.sz : wanted
    if (sz <= ZERO) return
    const side = sells ? 'A' : 'B'
    context.venue.submit({ holding, side, sz, reduceOnly: false, limitPx: null }, timeMs)
  }

  /** Traders with large losses trade less. */
  private confidence(agent: Agent): number {
    const main = this.context.ledger.account(agent, '')
    const left = accountEquity(main) / Math.max(agent.wealthUsd, 1)
    return Math.min(1, Math.max(CONFIDENCE_LEAST, left * left))
  }

  /** Ruined traders either deposit again or stay away. */
  private isRuined({ account }: Holding, timeMs: number): boolean {
    const { context, random } = this
    const { agent } = account
    const main = context.ledger.account(agent, '')
    if (accountEquity(main) > RUINED * agent.wealthUsd) return false
    const returns = random.chance(agent.style.persistence / 4)
    const usd = agent.wealthUsd * (0.2 + 0.6 * random.unit())
    if (returns) context.ledger.depositUsd(main, usd, timeMs)
    return !returns
  }
}

/** Daily factor on stakes, common to all traders with a part of their own. */
function moodOf(agent: number, timeMs: number): number {
  const day = Math.floor(timeMs / DAY_MS)
  const drawn = mixedWord(mixedWord(agent) ^ day) / 2 ** 32
  return MOOD.least + MOOD.more * drawn * drawn
}

/** Draws a market by turnover. */
function drawMarket(traded: readonly MarketState[], random: RandomSource): MarketState {
  const total = traded.reduce((sum, market) => sum + openInterestIn(market), 0)
  let left = total * random.unit()
  for (const market of traded) {
    left -= openInterestIn(market)
    if (left < 0) return market
  }
  return traded[0] as MarketState
}

const openInterestIn = ({ survey, isPerp }: MarketState) =>
  Math.sqrt(survey.usdPerSecond) * (isPerp ? 1 : 0.6)

const MINUTES = [5, 10, 10, 15, 15, 30, 30, 30, 45, 60, 90, 120, 240]
/** Share of the market's turnover that a TWAP takes. */
const PARTICIPATION = 0.03
/** Smallest value of a suborder, micro-dollars. */
const SLICE_USD_MIN = 12e6

/** Traders who enter and leave by TWAPs only. */
export class TwapTraders {
  constructor(
    private readonly context: CastingContext,
    private readonly random: RandomSource,
  ) {}

  /** Starts an agent's TWAPs, the first one right away if it has just joined. */
  begin(agent: Agent, fromMs: number): void {
    const traded = this.context.markets.filter(({ px }) => px !== ZERO)
    const wanted = traded.filter(({ survey }) => survey.usdPerSecond > 200e6)
    const pool = wanted.length > 0 ? wanted : traded
    if (pool.length === 0) return
    const habits = this.context.agents.habitsOf(agent)
    const markets = [habits.pick(pool), habits.pick(pool)]
    if (fromMs > agent.joinMs) return this.plan(agent, markets, fromMs)
    const firstMs = Math.floor(fromMs + this.random.unit() * 600_000)
    this.context.tasks.put(firstMs, () => this.start(agent, this.random.pick(markets), firstMs))
    this.plan(agent, markets, firstMs)
  }

  private plan(agent: Agent, markets: readonly MarketState[], fromMs: number): void {
    const meanMs = DAY_MS / agent.style.tradesPerDay
    const timeMs = Math.ceil(fromMs - meanMs * Math.log(1 - this.random.unit()))
    this.context.tasks.put(timeMs, () => {
      this.start(agent, this.random.pick(markets), timeMs)
      this.plan(agent, markets, timeMs)
    })
  }

  private start(agent: Agent, market: MarketState, timeMs: number): void {
    const { context, random } = this
    context.venue.updatePrice(market, timeMs)
    const holding = context.ledger.holding(agent, market)
    if (context.twaps.isRunning(holding)) return
    const reduces = holding.sz !== ZERO && random.chance(0.8)
    const minutes = random.pick(MINUTES)
    const sz = reduces ? absolute(holding.sz) : market.sizeFor(this.wantedUsd(holding, minutes))
    if (market.value(sz) < 2 * minutes * SLICE_USD_MIN) return
    const buys = reduces ? holding.sz < ZERO : market.isPerp ? random.chance(0.5) : true
    const share = random.chance(0.15) ? 0.2 + 0.7 * random.unit() : 1
    context.twaps.start(
      { holding, side: buys ? 'B' : 'A', sz, minutes, reduceOnly: reduces, share },
      timeMs,
    )
  }

  private wantedUsd({ account, market }: Holding, minutes: number): number {
    const { style, wealthUsd } = account.agent
    const { equity, initial } = crossMargin(account)
    const free = account.dex === '' ? Math.max(0, equity - initial) : wealthUsd / 4
    const affordable = 0.5 * free * (market.isPerp ? Math.min(style.leverage, 10) : 1)
    const part = PARTICIPATION * (0.3 + this.random.unit())
    return Math.min(affordable, market.survey.usdPerSecond * minutes * 60 * part)
  }
}
