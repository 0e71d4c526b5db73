/** Market events by time: the `market:` list of a scenario, or of a plot for a new tape. */

import { type Static, Type } from '@sinclair/typebox'
import {
  checkFields,
  FieldFlaw,
  type FieldPath,
  FlawList,
  fieldSpanMs,
  SpanField,
} from '../../contract/fields/field-check.ts'
import { nearestName, unknownText } from '../../contract/fields/nearest-name.ts'
import { readYaml } from '../../contract/fields/yaml-text.ts'
import type { LiquiditySnapshot } from './event-kind.ts'
import { NEWCOMER, newcomerOf, settledListing } from './event-kind.ts'
import {
  coinOf,
  EVENT_KINDS,
  eventEndMs,
  type GivenEvent,
  kindOf,
  type MarketEvent,
  type TimedEvent,
} from './market-event.ts'

// Coins by their rank in the market, for scripts that must fit any market.

/** Rank among perpetuals by turnover; a market without them uses its spot pairs. */
const PLACES: ReadonlyMap<string, number> = new Map([
  ['busiest', 0],
  ['quietest', -1],
])

/** Whether a name denotes a rank; no coin has such a name. */
export const isPlaceOfCoin = (name: string): boolean => PLACES.has(name) || name === NEWCOMER

/** The market at a rank; undefined for another name, and without a market. */
function coinOfPlace(
  name: string,
  standings: readonly LiquiditySnapshot[],
): LiquiditySnapshot | undefined {
  const index = PLACES.get(name)
  if (index === undefined) return undefined
  const perps = standings.filter(({ kind }) => kind === 'perp')
  const among = perps.length > 0 ? perps : standings
  return among.toSorted((a, b) => b.dayVolumeUsd - a.dayVolumeUsd).at(index)
}

/** The coin at a rank; `newcomer` is not listed yet; undefined for another name. */
export const nameAtPlace = (
  name: string,
  standings: readonly LiquiditySnapshot[],
): string | undefined =>
  name === NEWCOMER ? newcomerOf(standings) : coinOfPlace(name, standings)?.coin

// Checks a market event against its market.

/**
 * The event with its coin by name and its amount in dollars; a FieldFlaw for an unknown coin, and
 * for more than its market allows.
 */
export function eventFor(
  event: GivenEvent,
  standings: readonly LiquiditySnapshot[],
  at: FieldPath = [],
): MarketEvent {
  if (event.kind === 'listing') return settledListing(event, standings, at)
  if (!('coin' in event) || event.coin === undefined) return event as MarketEvent
  const standing = standingOf(event.coin, standings, [...at, 'coin'])
  if (standing.isPriceOnly)
    throw new FieldFlaw([...at, 'coin'], `names ${standing.coin}, of which only prices are known`)
  const { settled, shortage } = kindOf(event)
  const named = { ...event, coin: standing.coin }
  const own = settled?.(named as never, standing) ?? named
  const flaw = shortage?.(own as never, standing)
  if (flaw) throw new FieldFlaw([...at, flaw.field], flaw.message)
  return own as MarketEvent
}

function standingOf(
  coin: string,
  standings: readonly LiquiditySnapshot[],
  at: FieldPath,
): LiquiditySnapshot {
  const found = coinOfPlace(coin, standings) ?? standings.find((one) => one.coin === coin)
  if (found) return found
  const names = standings.map((one) => one.coin)
  const small = nearestName(
    coin,
    names.map((name) => name.toLowerCase()),
  )
  const nearest = names.find((name) => name.toLowerCase() === small)
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  throw new FieldFlaw(at, `names no coin "${coin}"${hint}; the market has ${names.join(', ')}`)
}

// Market events that exclude each other.

/** Conflict of two timed events as text; null without one. */
export function conflictOf(one: TimedEvent, other: TimedEvent): string | null {
  const overlap = one.fromMs < endMs(other) && other.fromMs < endMs(one)
  return (
    exclusionOf(one.event, other.event, overlap) ?? exclusionOf(other.event, one.event, overlap)
  )
}

/** `move of BTC`, `halt of all coins`, `news`. */
export function eventText(event: GivenEvent): string {
  const coin = coinOf(event)
  if (coin === undefined) return event.kind
  return `${event.kind} of ${coin ?? 'all coins'}`
}

/** An instantaneous event takes a moment. */
const endMs = (timed: TimedEvent) => Math.max(timed.fromMs + 1, eventEndMs(timed))

function exclusionOf(event: GivenEvent, other: GivenEvent, overlap: boolean): string | null {
  const found = kindOf(event).excludes.find(
    ({ kind, of, ever, when }) =>
      kind === other.kind &&
      (overlap || ever === true) &&
      (of === 'all coins' || meetOnCoin(event, other)) &&
      (when?.(event as never, other as never) ?? true),
  )
  return found?.why ?? null
}

function meetOnCoin(event: GivenEvent, other: GivenEvent): boolean {
  const [coin, otherCoin] = [coinOf(event), coinOf(other)]
  return coin === null || otherCoin === null || coin === otherCoin
}

// Reads a market event from untrusted data.

/** The event; a FieldFlaw for an invalid one. */
export function readEvent(given: unknown, at: FieldPath = []): GivenEvent {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new FieldFlaw(at, `must be a market event, {kind, …}: ${KINDS.join(', ')}`)
  const { kind, ...fields } = given as Record<string, unknown>
  checkKind(kind, fields, at)
  const declared = kindOf({ kind: kind as GivenEvent['kind'] })
  checkFields(declared.fields, fields, at)
  const flaw = declared.flaw?.(fields as never)
  if (flaw) throw new FieldFlaw([...at, flaw.field], flaw.message)
  return given as GivenEvent
}

const KINDS: readonly string[] = EVENT_KINDS.map(({ kind }) => kind)

const FIELDS = new Set(EVENT_KINDS.flatMap(({ fields }) => Object.keys(fields.properties)))

/** For an unknown kind, reports the fields that no kind has. */
function checkKind(kind: unknown, fields: object, at: FieldPath): void {
  if (typeof kind === 'string' && KINDS.includes(kind)) return
  const flaws = new FlawList()
  flaws.add(
    [...at, 'kind'],
    typeof kind === 'string'
      ? `is wrong: ${unknownText('kind of market event', kind, KINDS)}`
      : `must be a kind of market event: ${KINDS.join(', ')}`,
  )
  for (const name of Object.keys(fields))
    if (!FIELDS.has(name)) flaws.add([...at, name], `is wrong: no kind has "${name}"`)
  flaws.end()
}

/** An event, and its delay after the beginning. */
export interface PlotEvent<E extends GivenEvent = GivenEvent> {
  afterMs: number
  event: E
}

/** Schema of the list. */
export const PlotField = Type.Array(
  Type.Object(
    {
      at: SpanField('how long after the beginning, such as `30s`'),
      event: Type.Unknown({ description: 'the market event: `{kind, …}`' }),
    },
    { additionalProperties: false },
  ),
  { maxItems: 100, description: 'market events with their times' },
)

/** The events of a list that passed its schema; a FieldFlaw names a field from `at` on. */
export function readPlot(given: Static<typeof PlotField>, at: FieldPath): PlotEvent[] {
  return together(given, at, (one, path) => ({
    afterMs: fieldSpanMs(one.at),
    event: readEvent(one.event, path),
  }))
}

/** The same events with their coins by name; a FieldFlaw for what the market cannot do. */
export function plotFor(
  plot: readonly PlotEvent[],
  standings: readonly LiquiditySnapshot[],
  at: FieldPath,
): PlotEvent<MarketEvent>[] {
  return together(plot, at, ({ afterMs, event }, path) => ({
    afterMs,
    event: eventFor(event, standings, path),
  }))
}

/** Maps `read` over all; throws every flaw of single events and of combinations. */
function together<T, E extends GivenEvent>(
  given: readonly T[],
  at: FieldPath,
  read: (one: T, path: FieldPath) => PlotEvent<E>,
): PlotEvent<E>[] {
  const flaws = new FlawList()
  const plot = given.map((one, index) => flaws.collect(() => read(one, [...at, index, 'event'])))
  flaws.collect(() => checkTogether(plot, at))
  flaws.end()
  return plot.filter((one) => one !== undefined)
}

/** Target market of a plot. */
interface PlotMarket {
  standings: readonly LiquiditySnapshot[]
  /** Length, ms. */
  lengthMs: number
}

/** The plot of a YAML file with a `market:` list; a UserError names file, line and field. */
export function readPlotYaml(
  file: string,
  text: string,
  market: PlotMarket,
): PlotEvent<MarketEvent>[] {
  return readYaml({ file, text, whole: 'the plot' }, (given) => {
    checkFields(PlotFile, given, [])
    const at = ['market']
    const plot = plotFor(
      readPlot((given as Static<typeof PlotFile>).market, at),
      market.standings,
      at,
    )
    checkCoins(plot, at)
    checkLength(plot, market.lengthMs, at)
    return plot
  })
}

const PlotFile = Type.Object(
  {
    title: Type.Optional(Type.String({ description: 'short description' })),
    market: PlotField,
  },
  { additionalProperties: false },
)

/** The header of a tape names its coins, with a price of its first moment. */
function checkCoins(plot: readonly PlotEvent[], at: FieldPath): void {
  const flaws = new FlawList()
  for (const [index, { event }] of plot.entries())
    if (event.kind === 'listing')
      flaws.add(
        [...at, index, 'event', 'kind'],
        'cannot be "listing": a tape has its coins from its first moment on; a market that goes ' +
          'on after its tape can be scheduled to list one',
      )
  flaws.end()
}

function checkLength(plot: readonly PlotEvent[], lengthMs: number, at: FieldPath): void {
  const flaws = new FlawList()
  for (const [index, one] of plot.entries()) {
    const endMs = eventEndMs(timedOf(one))
    if (endMs > lengthMs)
      flaws.add(
        [...at, index],
        `acts until ${endMs / 1000} s after the beginning, and the tape ends after ` +
          `${lengthMs / 1000} s: let it begin earlier, make it shorter, or the tape longer`,
      )
  }
  flaws.end()
}

/** @param plot undefined where an event was not read */
function checkTogether(plot: readonly (PlotEvent | undefined)[], at: FieldPath): void {
  const flaws = new FlawList()
  for (const [index, one] of plot.entries())
    for (const [before, other] of plot.slice(0, index).entries()) {
      const why = one && other ? conflictOf(timedOf(other), timedOf(one)) : null
      if (one && other && why !== null)
        flaws.add(
          [...at, index],
          `(${eventText(one.event)}) overlaps ${[...at, before].join('.')} ` +
            `(${eventText(other.event)}), which acts from ${other.afterMs / 1000} s to ` +
            `${eventEndMs(timedOf(other)) / 1000} s: ${why}`,
        )
    }
  flaws.end()
}

const timedOf = ({ afterMs, event }: PlotEvent): TimedEvent => ({ event, fromMs: afterMs })
