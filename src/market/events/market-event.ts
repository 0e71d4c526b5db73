/** What a market can be told to do, as data. Every kind is declared in a file of its own. */
import { depth } from './depth.ts'
import type { EventKind, EventOf } from './event-kind.ts'
import { funding } from './funding.ts'
import { halt } from './halt.ts'
import { liquidations } from './liquidations.ts'
import { listing, type SettledListing } from './listing.ts'
import { move } from './move.ts'
import { news } from './news.ts'
import { spread } from './spread.ts'
import { volatility } from './volatility.ts'
import { volume } from './volume.ts'
import { whale } from './whale.ts'

/** All kinds, in the order in which documents show them. */
export const EVENT_KINDS = [
  move,
  liquidations,
  whale,
  volatility,
  volume,
  spread,
  depth,
  funding,
  halt,
  listing,
  news,
] as const satisfies readonly EventKind[]

/** Something that a market can be told to do, as it is given. */
export type GivenEvent = EventOf<(typeof EVENT_KINDS)[number]>

/** The same as a certain market does it: its coin by name, its amount in dollars. */
export type MarketEvent =
  | Exclude<GivenEvent, { kind: 'liquidations' | 'listing' }>
  | SettledListing
  | (Omit<EventOf<typeof liquidations>, 'interestPct' | 'usd'> & { usd: number })

/** A market event with its instants, tape time. */
export interface TimedMarketEvent {
  event: MarketEvent
  /** When it was asked for. */
  askedMs: number
  /** When it begins to act. */
  fromMs: number
}

/** An event with when it begins, ms of any time. */
export interface TimedEvent {
  event: GivenEvent
  fromMs: number
}

/** When an event has ended, same time. */
export const eventEndMs = ({ event, fromMs }: TimedEvent): number =>
  fromMs + Math.round(kindOf(event).lengthS(event as never) * 1000)

/** The declaration of an event's kind. */
export function kindOf({ kind }: Pick<GivenEvent, 'kind'>): EventKind {
  const found = EVENT_KINDS.find((one) => one.kind === kind)
  if (!found) throw new Error(`there is no kind of market event "${kind}"`)
  return found
}

/** The coin that an event acts on; null for all of them, undefined for none. */
export function coinOf(event: GivenEvent): string | null | undefined {
  if (event.kind === 'news') return undefined
  return event.coin ?? null
}
