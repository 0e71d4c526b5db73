import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../clock/instant.ts'
import type { FeeRate } from '../../../decimal/quantity.ts'
import { type RandomSource, randomSource } from '../../../random/random-source.ts'
import { millionths } from '../../accounting/funding.ts'
import type { AccountMode, Persona, Role } from '../../schema/schema.ts'
import { logUniform } from '../../synth/distributions.ts'
import type { MarketState } from '../market/market-state.ts'
import type { RowSink } from '../writing/row-sink.ts'

/** Trading habits of an agent, common to all its decisions. */
interface TradingStyle {
  /** Entry signal: a price rise, a fall, or none. */
  signal: 'momentum' | 'reversion' | 'chance'
  /** Lookback of the signal in minutes. */
  lookbackMin: number
  /** Rate of entries, and intended holding time. */
  tradesPerDay: number
  holdMs: number
  /**
   * Gain and loss at which it closes, in standard deviations of the price over the holding time.
   */
  target: number
  stop: number
  /** Position relative to equity; and number of positions at once. */
  leverage: number
  positionsMax: number
  /** Log-spread of stakes from trade to trade. */
  stakeSpread: number
  /** Share of limit orders, and of those that join the best price. */
  patience: number
  atTouch: number
  /** Share of his positions on isolated margin. */
  isolation: number
  /** Probability of a new deposit instead of liquidation, or after ruin. */
  persistence: number
}

interface Habits {
  tradesPerDay: readonly [low: number, high: number]
  holdMs: readonly [low: number, high: number]
  patience: number
  atTouch: number
  isolation: number
  positionsMax: number
  stakeSpread?: number
  /** Typical leverage; the default where left out. */
  leverage?: number
}

const HABITS: Partial<Record<Role, Habits>> = {
  scalper: {
    tradesPerDay: [6, 40],
    holdMs: [20_000, 40 * MINUTE_MS],
    patience: 0.95,
    atTouch: 0.9,
    isolation: 0.5,
    positionsMax: 1,
    stakeSpread: 1.2,
  },
  swing: {
    tradesPerDay: [0.3, 2.6],
    holdMs: [2 * HOUR_MS, 5 * DAY_MS],
    patience: 0.6,
    atTouch: 0.3,
    isolation: 0.35,
    positionsMax: 3,
  },
  builderUser: {
    tradesPerDay: [0.4, 3],
    holdMs: [2 * HOUR_MS, 2 * DAY_MS],
    patience: 0.5,
    atTouch: 0.4,
    isolation: 0.4,
    positionsMax: 2,
  },
  quiet: {
    tradesPerDay: [0.08, 1],
    holdMs: [6 * HOUR_MS, 18 * DAY_MS],
    patience: 0.5,
    atTouch: 0.2,
    isolation: 0.4,
    positionsMax: 2,
  },
  whale: {
    tradesPerDay: [0.5, 4],
    holdMs: [3 * HOUR_MS, 10 * DAY_MS],
    patience: 0.6,
    atTouch: 0.2,
    isolation: 0.25,
    positionsMax: 3,
    leverage: 4,
  },
  twap: {
    tradesPerDay: [0.3, 1.2],
    holdMs: [6 * HOUR_MS, 6 * DAY_MS],
    patience: 0.2,
    atTouch: 0,
    isolation: 0.25,
    positionsMax: 2,
  },
}

/** Habits of all other roles. */
const OTHERS: Habits = {
  tradesPerDay: [0.5, 2],
  holdMs: [HOUR_MS, DAY_MS],
  patience: 0.3,
  atTouch: 0,
  isolation: 0,
  positionsMax: 3,
}

const LEVERAGE = { median: 6, spread: 0.8, min: 1.3 }
/** Makers hold little relative to their equity. */
const MAKER = { leverage: 4, isolation: 0.1 }
const STAKE_SPREAD = 0.4
/** Share of traders without a stop. */
const WITHOUT_STOP = 0.35

/** Draws a style of a role. */
export function drawStyle(role: Role, random: RandomSource): TradingStyle {
  const habits = HABITS[role] ?? OTHERS
  const holdMs = logUniform(random, ...habits.holdMs)
  // Near targets with far stops win often and little; the other way round seldom and much.
  const skew = Math.exp(1.3 * random.normal())
  const width = 0.65 * Math.exp(0.25 * random.normal())
  const leverage =
    (habits.leverage ?? LEVERAGE.median) * Math.exp(LEVERAGE.spread * random.normal())
  return {
    signal: random.pick(['momentum', 'reversion', 'chance'] as const),
    lookbackMin: Math.max(2, Math.min(2_000, Math.round(holdMs / MINUTE_MS))),
    tradesPerDay: logUniform(random, ...habits.tradesPerDay),
    holdMs,
    target: width * Math.sqrt(skew),
    stop: random.chance(WITHOUT_STOP) ? Number.POSITIVE_INFINITY : width / Math.sqrt(skew),
    leverage: role === 'maker' ? MAKER.leverage : Math.max(LEVERAGE.min, leverage),
    positionsMax: random.between(1, habits.positionsMax),
    stakeSpread: habits.stakeSpread ?? STAKE_SPREAD,
    patience: habits.patience,
    atTouch: habits.atTouch,
    isolation: role === 'maker' ? MAKER.isolation : habits.isolation,
    persistence: 0.15 + 0.5 * random.unit(),
  }
}

const MAKERS_PER_MARKET = 4
const LATE_DAYS = { early: 0.4, others: 24 }
const NEWCOMERS = 8
const NEWCOMER_MS = 2_400_000
const BUILDER_RATES = [100, 200, 250, 500]

/** All traders: seeded ones in proportion to the market, and those that the tape names. */
export class AgentPool {
  readonly all: Agent[] = []
  readonly byRole = new Map<Role, Agent[]>()
  private readonly byAddress = new Map<string, Agent>()
  private readonly makers = new Map<MarketState, readonly Agent[]>()
  private builders: readonly Builder[] = []

  constructor(
    private readonly rows: RowSink,
    private readonly random: RandomSource,
    private readonly historyStartMs: number,
    private readonly startMs: number,
  ) {}

  /** Adds the seeded traders of a new world of so many coins. */
  populate(coins: number): void {
    const rates = BUILDER_RATES.slice(0, coins > 3 ? 4 : 2)
    this.builders = rates.map((rate, id) => ({
      id: id + 1,
      address: this.address(),
      rate: millionths(rate),
    }))
    for (const row of this.builders) this.rows.add('builder', row)
    const total = Math.min(300, 70 + 24 * coins)
    for (const [role, { share }] of Object.entries(ROLE_PROFILES)) {
      const count = Math.max(4, Math.round(total * share))
      for (let n = 0; n < count; n++) this.add(role as Role)
    }
  }

  of(role: Role): Agent[] {
    return this.byRole.get(role) ?? []
  }

  /** Makers of a market: few, and always the same. */
  makersOf(market: MarketState): readonly Agent[] {
    const known = this.makers.get(market)
    if (known) return known
    const all = this.of('maker')
    const count = Math.min(all.length, MAKERS_PER_MARKET)
    const from = this.makers.size * (MAKERS_PER_MARKET - 1)
    const found = Array.from({ length: count }, (_, n) => all[(from + n) % all.length] as Agent)
    this.makers.set(market, found)
    return found
  }

  /** Adds an agent of a role. */
  add(role: Role, address = this.address()): Agent {
    const { random } = this
    const profile = ROLE_PROFILES[role] ?? ORDINARY
    const joinMs = this.joinMs(role)
    const builder = role === 'builderUser' ? random.pick(this.builders) : null
    const own = random.fork(address)
    const agent: Agent = {
      id: this.all.length + 1,
      address,
      role,
      joinMs,
      builder,
      wealthUsd: Math.round(profile.usd * drawWealth(own)) * 1e6,
      style: drawStyle(role, own),
      mode: DRAWN_ROLES.has(role) ? drawMode(own) : 'separated',
      master: null,
      staked: 0,
      persona: null,
      isPlanned: false,
    }
    this.byRole.set(role, [...this.of(role), agent])
    return this.admit(agent)
  }

  /**
   * Adds an agent without random draws. A persona's address is the same in every world, so that
   * documents can name it.
   */
  addPlanned(
    persona: Persona | null,
    role: Role,
    wealthUsd: number,
    given: Partial<Pick<Agent, 'mode' | 'master'>> = {},
    address = this.plannedAddress(persona),
  ): Agent {
    return this.admit({
      id: this.all.length + 1,
      address,
      role,
      joinMs: this.plannedJoinMs,
      builder: role === 'builderUser' ? (this.builders[0] ?? null) : null,
      wealthUsd,
      style: drawStyle(role, randomSource('persona', role)),
      mode: persona === null ? drawMode(this.random.fork(address)) : 'separated',
      master: null,
      staked: 0,
      persona,
      ...given,
      isPlanned: true,
    })
  }

  /** Restores the builders of a world that is grown further. */
  restoreBuilders(builders: readonly Builder[]): void {
    this.builders = builders
  }

  /** Restores an agent of such a world; fields without a row are drawn as they were at first. */
  restore(known: KnownAgent): Agent {
    const { address, role, persona, wealthUsd } = known
    const own = this.random.fork(address)
    const drawnUsd = Math.round((ROLE_PROFILES[role] ?? ORDINARY).usd * drawWealth(own)) * 1e6
    const agent: Agent = {
      id: known.id,
      address,
      role,
      joinMs: known.joinMs,
      builder: this.builders.find(({ id }) => id === known.builder) ?? null,
      wealthUsd: wealthUsd ?? drawnUsd,
      style: drawStyle(role, own),
      mode: known.mode,
      master: known.master,
      staked: 0,
      persona,
      // Only planned agents join at this instant.
      isPlanned: known.joinMs === this.plannedJoinMs,
    }
    if (!agent.isPlanned) this.byRole.set(role, [...this.of(role), agent])
    this.all.push(agent)
    this.byAddress.set(address, agent)
    return agent
  }

  /** Random source of an agent's lasting habits, the same on every call. */
  habitsOf({ address }: Agent): RandomSource {
    return this.random.fork(`habits of ${address}`)
  }

  /** Instant at which planned agents join. */
  private get plannedJoinMs(): number {
    return this.historyStartMs + MINUTE_MS
  }

  /**
   * The agent of an address in the tape. A tape made from another world may name an agent of this
   * one.
   */
  namedBy(address: string): Agent {
    const key = address.toLowerCase()
    return this.byAddress.get(key) ?? this.add('named', key)
  }

  /** Joining time: most join at once, others on any day; some work TWAPs from today on only. */
  private joinMs(role: Role): number {
    const { random, historyStartMs, startMs } = this
    const newcomers = role === 'twap' && this.of('twap').length < NEWCOMERS
    if (newcomers) return startMs - Math.floor((0.05 + random.unit()) * NEWCOMER_MS)
    const needed = role === 'maker' || role === 'liquidated' || role === 'named'
    const days = needed ? 1 / 1440 : random.chance(0.55) ? LATE_DAYS.early : LATE_DAYS.others
    return historyStartMs + Math.floor(random.unit() * days * DAY_MS)
  }

  private admit(agent: Agent): Agent {
    this.all.push(agent)
    this.byAddress.set(agent.address, agent)
    this.rows.add('trader', { ...agent, builder: agent.builder?.id ?? null })
    return agent
  }

  /** A persona's fixed address, unless the tape has an account there. */
  private plannedAddress(persona: Persona | null): string {
    const own = persona && `0x${randomSource('persona', persona).hex(40)}`
    return own === null || this.byAddress.has(own) ? this.address() : own
  }

  /** An unused address. */
  private address(): string {
    const drawn = `0x${this.random.hex(40)}`
    return this.byAddress.has(drawn) ? this.address() : drawn
  }
}

/** Shares of the roles among the seeded traders, and the typical one's dollars. */
const ROLE_PROFILES: Record<string, { share: number; usd: number }> = {
  maker: { share: 0.07, usd: 180_000 },
  whale: { share: 0.12, usd: 800_000 },
  scalper: { share: 0.14, usd: 12_000 },
  twap: { share: 0.07, usd: 200_000 },
  swing: { share: 0.24, usd: 25_000 },
  builderUser: { share: 0.12, usd: 8_000 },
  quiet: { share: 0.24, usd: 10_000 },
}

/** Part of the traders that trade on unified margin. */
const UNIFIED = 0.25

const DRAWN_ROLES: ReadonlySet<Role> = new Set(Object.keys(ROLE_PROFILES) as Role[])

/** Whether a trader's perpetuals and spot share one margin. */
export const drawMode = (random: RandomSource): AccountMode =>
  random.fork('mode').chance(UNIFIED) ? 'unified' : 'separated'

/** Profile of roles that are not seeded. */
const ORDINARY = { usd: 20_000 }

/** Wealth: a log-normal body, and a power-law tail above a multiple of the typical one. */
const BODY_SPREAD = 1.4
const TAIL = { chance: 0.14, from: 2.5, exponent: 1.2, most: 14 }

/** Wealth relative to the typical one of the role. */
function drawWealth(random: RandomSource): number {
  const { chance, from, exponent, most } = TAIL
  if (random.chance(chance)) return Math.min(most, from * (1 - random.unit()) ** (-1 / exponent))
  return Math.exp(BODY_SPREAD * random.normal())
}

/** A trader while the world is being cast. */
export interface Agent {
  id: number
  address: string
  role: Role
  joinMs: number
  builder: Builder | null
  /** First deposit when it joins, micro-dollars. */
  wealthUsd: number
  style: TradingStyle
  mode: AccountMode
  /** trader.id of whom it is a sub-account. */
  master: number | null
  /** Tokens; they make what it pays less. */
  staked: number
  persona: Persona | null
  /** Whether all its actions are planned: none is left to chance. */
  isPlanned: boolean
}

/** A trader as stored in the rows of a world. */
export interface KnownAgent
  extends Pick<Agent, 'id' | 'address' | 'role' | 'joinMs' | 'mode' | 'master' | 'persona'> {
  /** builder.id */
  builder: number | null
  /** First deposit, micro-dollars; null before it. */
  wealthUsd: number | null
}

export interface Builder {
  id: number
  address: string
  rate: FeeRate
}
