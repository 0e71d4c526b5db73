import { DAY_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { feeRate } from '../../../decimal/quantity.ts'
import { type RandomSource, randomSource } from '../../../random/random-source.ts'
import type { Persona, Role } from '../../schema/schema.ts'
import type { MarketState } from '../market/market-state.ts'
import type { RowSink } from '../writing/row-sink.ts'
import type { Agent, Builder, KnownAgent } from './agent.ts'
import { drawStyle } from './trading-style.ts'

const MAKERS_PER_MARKET = 4
const LATE_DAYS = { early: 0.4, others: 24 }
const NEWCOMERS = 8
const NEWCOMER_MS = 2_400_000
const BUILDER_RATES = [100, 200, 250, 500]

/** All traders: seeded ones in proportion to the market, and those whom the tape names. */
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

  /** Adds those whom a new world of so many coins begins with. */
  populate(coins: number): void {
    const rates = BUILDER_RATES.slice(0, coins > 3 ? 4 : 2)
    this.builders = rates.map((rate, id) => ({
      id: id + 1,
      address: this.address(),
      rate: feeRate(rate),
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

  /** Those who make a market: few, the same ones always. */
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
    const rebate = role === 'maker' && random.chance(0.5) ? -20 : 0
    const builder = role === 'builderUser' ? random.pick(this.builders) : null
    const own = random.fork(address)
    const agent: Agent = {
      id: this.all.length + 1,
      address,
      role,
      joinMs,
      builder,
      takerRate: feeRate(profile.taker),
      makerRate: feeRate(profile.maker + rebate),
      wealthUsd: Math.round(profile.usd * drawWealth(own)) * 1e6,
      style: drawStyle(role, own),
      persona: null,
      isPlanned: false,
    }
    this.byRole.set(role, [...this.of(role), agent])
    return this.admit(agent)
  }

  /**
   * Adds somebody who is drawn for nothing. A persona's address is the same in every world, so that
   * it can be written down.
   */
  addPlanned(
    persona: Persona | null,
    role: Role,
    wealthUsd: number,
    address = this.plannedAddress(persona),
  ): Agent {
    const { taker, maker } = ROLE_PROFILES[role] ?? ORDINARY
    return this.admit({
      id: this.all.length + 1,
      address,
      role,
      joinMs: this.plannedJoinMs,
      builder: role === 'builderUser' ? (this.builders[0] ?? null) : null,
      takerRate: feeRate(taker),
      makerRate: feeRate(maker),
      wealthUsd,
      style: drawStyle(role, randomSource('persona', role)),
      persona,
      isPlanned: true,
    })
  }

  /** Takes in the front ends of a world that goes on. */
  restoreBuilders(builders: readonly Builder[]): void {
    this.builders = builders
  }

  /** Takes in somebody of such a world; what no row says of him is drawn as it was first. */
  restore(known: KnownAgent): Agent {
    const { address, role, persona, wealthUsd } = known
    const own = this.random.fork(address)
    const drawnUsd = Math.round((ROLE_PROFILES[role] ?? ORDINARY).usd * drawWealth(own)) * 1e6
    const agent: Agent = {
      id: known.id,
      address,
      role,
      joinMs: known.joinMs,
      takerRate: known.takerRate,
      makerRate: known.makerRate,
      builder: this.builders.find(({ id }) => id === known.builder) ?? null,
      wealthUsd: wealthUsd ?? drawnUsd,
      style: drawStyle(role, own),
      persona,
      // Nobody else joins at that very instant.
      isPlanned: known.joinMs === this.plannedJoinMs,
    }
    if (!agent.isPlanned) this.byRole.set(role, [...this.of(role), agent])
    this.all.push(agent)
    this.byAddress.set(address, agent)
    return agent
  }

  /** What somebody always does, whenever it is asked. */
  habitsOf({ address }: Agent): RandomSource {
    return this.random.fork(`habits of ${address}`)
  }

  /** When those join whose doings are planned. */
  private get plannedJoinMs(): number {
    return this.historyStartMs + MINUTE_MS
  }

  /**
   * The agent of an address that the tape names. A tape of what another world has shown may name
   * somebody whom this one has too.
   */
  namedBy(address: string): Agent {
    const key = address.toLowerCase()
    return this.byAddress.get(key) ?? this.add('named', key)
  }

  /** When somebody joins: most at once, the others any day; some work TWAPs from today on only. */
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

  /** A persona's own, unless the tape tells of somebody who has it. */
  private plannedAddress(persona: Persona | null): string {
    const own = persona && `0x${randomSource('persona', persona).hex(40)}`
    return own === null || this.byAddress.has(own) ? this.address() : own
  }

  /** One that nobody has. */
  private address(): string {
    const drawn = `0x${this.random.hex(40)}`
    return this.byAddress.has(drawn) ? this.address() : drawn
  }
}

/** Shares of the roles among the seeded traders, their fee rates, and the typical one's dollars. */
const ROLE_PROFILES: Record<string, { share: number; usd: number; taker: number; maker: number }> =
  {
    maker: { share: 0.07, usd: 180_000, taker: 240, maker: -10 },
    whale: { share: 0.12, usd: 800_000, taker: 350, maker: 80 },
    scalper: { share: 0.14, usd: 12_000, taker: 300, maker: 50 },
    twap: { share: 0.07, usd: 200_000, taker: 350, maker: 110 },
    swing: { share: 0.24, usd: 25_000, taker: 430, maker: 140 },
    builderUser: { share: 0.12, usd: 8_000, taker: 450, maker: 150 },
    quiet: { share: 0.24, usd: 10_000, taker: 450, maker: 150 },
  }

/** Of roles that are not seeded. */
const ORDINARY = { usd: 20_000, taker: 450, maker: 150 }

/** Wealth: a log-normal body, and a tail above so many times the typical one. */
const BODY_SPREAD = 1.4
const TAIL = { chance: 0.14, from: 2.5, exponent: 1.2, most: 14 }

/** Wealth against the typical one of a role. */
function drawWealth(random: RandomSource): number {
  const { chance, from, exponent, most } = TAIL
  if (random.chance(chance)) return Math.min(most, from * (1 - random.unit()) ** (-1 / exponent))
  return Math.exp(BODY_SPREAD * random.normal())
}
