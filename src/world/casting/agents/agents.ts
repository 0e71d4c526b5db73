import { type FeeRate, feeRate } from '../../../decimal/quantity.ts'
import { type RandomSource, randomSource } from '../../../random/random-source.ts'
import type { Persona, Role } from '../../schema.ts'
import type { RowSink } from '../writing/row-sink.ts'

/** A trader while the world is being cast. */
export interface Agent {
  id: number
  address: string
  role: Role
  joinMs: number
  takerRate: FeeRate
  makerRate: FeeRate
  builder: Builder | null
  /** What it deposits when it joins, micro-dollars. */
  wealthUsd: number
  /** Set where all that it does is planned: nothing else is decided for it by chance. */
  persona: Persona | null
}

export interface Builder {
  id: number
  address: string
  rate: FeeRate
}

/** Shares of the roles among the seeded traders, and the wealth of the typical one in dollars. */
const ROLE_PROFILES: Record<string, { share: number; usd: number; taker: number; maker: number }> =
  {
    maker: { share: 0.09, usd: 9_000_000, taker: 260, maker: -10 },
    whale: { share: 0.07, usd: 5_000_000, taker: 350, maker: 80 },
    scalper: { share: 0.15, usd: 18_000, taker: 400, maker: 120 },
    twap: { share: 0.07, usd: 900_000, taker: 400, maker: 120 },
    swing: { share: 0.26, usd: 40_000, taker: 450, maker: 150 },
    builderUser: { share: 0.12, usd: 9_000, taker: 450, maker: 150 },
    quiet: { share: 0.24, usd: 6_000, taker: 450, maker: 150 },
  }

const ORDINARY = { usd: 20_000, taker: 450, maker: 150 }

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const BUILDER_RATES = [100, 200, 250, 500]

/** All traders: seeded ones in proportion to the market, and those whom the tape names. */
export class AgentPool {
  readonly all: Agent[] = []
  readonly byRole = new Map<Role, Agent[]>()
  private readonly named = new Map<string, Agent>()
  private readonly builders: Builder[]

  constructor(
    private readonly rows: RowSink,
    private readonly random: RandomSource,
    private readonly historyStartMs: number,
    coins: number,
  ) {
    const rates = BUILDER_RATES.slice(0, coins > 3 ? 4 : 2)
    this.builders = rates.map((rate, id) => ({
      id: id + 1,
      address: this.address(),
      rate: feeRate(rate),
    }))
    for (const row of this.builders) rows.add('builder', row)
    const total = Math.min(300, 70 + 24 * coins)
    for (const [role, { share }] of Object.entries(ROLE_PROFILES)) {
      const count = Math.max(4, Math.round(total * share))
      for (let n = 0; n < count; n++) this.add(role as Role)
    }
  }

  of(role: Role): Agent[] {
    return this.byRole.get(role) ?? []
  }

  /** Adds an agent of a role. */
  add(role: Role, address = this.address()): Agent {
    const { random } = this
    const profile = ROLE_PROFILES[role] ?? ORDINARY
    const needed = role === 'maker' || role === 'liquidated' || role === 'named'
    const lateMs = needed ? MINUTE_MS : (random.chance(0.6) ? 0.4 : 16) * DAY_MS
    const joinMs = this.historyStartMs + Math.floor(random.unit() * lateMs)
    const rebate = role === 'maker' && random.chance(0.5) ? -20 : 0
    const builder = role === 'builderUser' ? random.pick(this.builders) : null
    const agent: Agent = {
      id: this.all.length + 1,
      address,
      role,
      joinMs,
      builder,
      takerRate: feeRate(profile.taker),
      makerRate: feeRate(profile.maker + rebate),
      wealthUsd: Math.round(profile.usd * Math.exp(0.9 * random.normal())) * 1e6,
      persona: null,
    }
    this.byRole.set(role, [...this.of(role), agent])
    return this.admit(agent)
  }

  /**
   * Adds a persona, who is drawn for nothing. Its address is the same in every world, so that it
   * can be written down.
   */
  addPersona(persona: Persona, role: Role, wealthUsd: number): Agent {
    const { taker, maker } = ROLE_PROFILES[role] ?? ORDINARY
    return this.admit({
      id: this.all.length + 1,
      address: `0x${randomSource('persona', persona).hex(40)}`,
      role,
      joinMs: this.historyStartMs + MINUTE_MS,
      builder: role === 'builderUser' ? (this.builders[0] ?? null) : null,
      takerRate: feeRate(taker),
      makerRate: feeRate(maker),
      wealthUsd,
      persona,
    })
  }

  /** The agent of an address that the tape names. */
  namedBy(address: string): Agent {
    const key = address.toLowerCase()
    const known = this.named.get(key)
    if (known) return known
    const agent = this.add('named', key)
    this.named.set(key, agent)
    return agent
  }

  private admit(agent: Agent): Agent {
    this.all.push(agent)
    this.rows.add('trader', { ...agent, builder: agent.builder?.id ?? null })
    return agent
  }

  private address(): string {
    return `0x${this.random.hex(40)}`
  }
}
