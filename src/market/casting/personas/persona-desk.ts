import { DAY_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { raw, type Sz, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { fundingBetween } from '../../accounting/funding.ts'
import type { Persona, Role } from '../../schema/schema.ts'
import type { CastingContext } from '../casting-context.ts'
import type { MarketPast } from '../history/past.ts'
import type { PricePath } from '../history/price-path.ts'
import { PersonaTrader } from './persona-trader.ts'

/** So many days of history plans are made for. */
const DAYS = 30

/** The size of an order: so much of a turnover, but within these dollars. */
export interface OrderValue {
  /** Part of the turnover of an hour. */
  ofHour: number
  leastUsd: number
  mostUsd: number
}

/** What plans are made from: the markets with their known past, and when the tape begins. */
export class PersonaDesk {
  /** Perpetuals of the main dex that have a price: the most traded first. */
  readonly perps: readonly MarketPast[]
  /** What plans take for a day: a real one, but where less is told of the past than a month. */
  readonly dayMs: number

  constructor(
    readonly context: CastingContext,
    private readonly paths: readonly PricePath[],
    readonly startMs: number,
    readonly random: RandomSource,
  ) {
    const sinceMs = startMs - context.historyStartMs
    this.dayMs = Math.min(DAY_MS, MINUTE_MS * Math.round(sinceMs / DAYS / MINUTE_MS))
    this.perps = paths
      .map(({ past }) => past)
      .filter(({ market }) => market.isPerp && market.row.dex === '')
      .sort((a, b) => usdPerSecond(b) - usdPerSecond(a))
  }

  trader(
    persona: Persona | null,
    role: Role,
    usd: number,
    leverage: number,
    isolated = false,
  ): PersonaTrader {
    const agent = this.context.agents.addPlanned(persona, role, Math.round(usd) * 1e6)
    return new PersonaTrader(this.context, agent, leverage, isolated)
  }

  /** A size in proportion to what is traded in a market. */
  size(past: MarketPast, { ofHour, leastUsd, mostUsd }: OrderValue): Sz {
    const usd = 3600 * usdPerSecond(past) * ofHour
    return past.market.sizeFor(Math.min(mostUsd * 1e6, Math.max(leastUsd * 1e6, usd)))
  }

  /** What a position of signed size is going to pay in funding, micro-dollars. */
  fundingPaid(past: MarketPast, signed: Sz, fromMs: number, toMs: number): number {
    const hours = this.paths.find((path) => path.past === past)?.funding ?? []
    const indexAt = (atMs: number) =>
      hours.findLast(({ timeMs }) => timeMs <= atMs)?.fundingIndex ?? ZERO
    return raw(fundingBetween(signed, indexAt(fromMs), indexAt(toMs), past.market.row))
  }

  /** By which part of itself a price moves between two instants. */
  move(past: MarketPast, fromMs: number, toMs: number): number {
    return raw(past.pxAt(toMs)) / raw(past.pxAt(fromMs)) - 1
  }
}

const usdPerSecond = ({ market }: MarketPast): number => market.survey.usdPerSecond
