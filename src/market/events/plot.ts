/** Market events by time: the `market:` list of a scenario, or of a plot for a new tape. */

import { type Static, Type } from '@sinclair/typebox'
import { checkFields } from '../../contract/fields/field-check.ts'
import { type FieldPath, FlawList } from '../../contract/fields/field-flaw.ts'
import { fieldSpanMs, SpanField } from '../../contract/fields/span-field.ts'
import { readYaml } from '../../contract/fields/yaml-text.ts'
import { conflictOf, eventText } from './conflicts.ts'
import type { CoinStanding } from './event-kind.ts'
import { readEvent } from './event-reading.ts'
import { eventEndMs, type GivenEvent, type MarketEvent, type TimedEvent } from './market-event.ts'
import { eventFor } from './standing-check.ts'

/** An event, and how long after the beginning it acts. */
export interface PlotEvent<E extends GivenEvent = GivenEvent> {
  afterMs: number
  event: E
}

/** The list as it is written. */
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

/** The events of a list that was checked by its schema; a FieldFlaw names a field from `at` on. */
export function readPlot(given: Static<typeof PlotField>, at: FieldPath): PlotEvent[] {
  return together(given, at, (one, path) => ({
    afterMs: fieldSpanMs(one.at),
    event: readEvent(one.event, path),
  }))
}

/** The same events with their coins by name; a FieldFlaw for what the market cannot do. */
export function plotFor(
  plot: readonly PlotEvent[],
  standings: readonly CoinStanding[],
  at: FieldPath,
): PlotEvent<MarketEvent>[] {
  return together(plot, at, ({ afterMs, event }, path) => ({
    afterMs,
    event: eventFor(event, standings, path),
  }))
}

/** What `read` makes of each; throws all that is wrong with any, or with some beside others. */
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

/** A market that a plot is written for. */
interface PlotMarket {
  standings: readonly CoinStanding[]
  /** How long it lasts, ms. */
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
          'on after its tape can be told to list one',
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
