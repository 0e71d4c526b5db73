/** Data of the timeline: prices during and after the tape, and marks of events. */

import type { ControlCalls, SandboxControl } from '../../../../clients/control/control.ts'
import type { MarketEventRecord, SandboxRecord } from '../../../../clients/control/records.ts'
import type { Session } from '../../session/connection.ts'
import { say } from './words.ts'

/** Times are in tape time, ms. */
export interface Mark {
  kind: 'event' | 'fault' | 'cascade' | 'gap' | 'bookmark'
  from: number
  to: number
  text: string
}

export interface PricePoint {
  at: number
  price: number
}

export interface Timeline {
  /** Oldest first; some may be ahead of the playhead after a seek. */
  prices: readonly PricePoint[]
  marks: readonly Mark[]
}

/** Shown time before the tape, ms. */
export const PAST_MS = 300_000

/** Maximum number of points. */
const MOST_POINTS = 1500

const INTERVALS = [
  ['1s', 1000],
  ['5s', 5000],
  ['15s', 15_000],
  ['1m', 60_000],
  ['5m', 300_000],
  ['15m', 900_000],
] as const

/** Repeated actions of one rule within this time are one mark, ms. */
const SAME_FAULT_MS = 10_000

/** Liquidations in a minute, in total and relative to the usual. */
const CASCADE_USD = 100_000
const CASCADE_FACTOR = 6

const COIN = 'BTC'

/**
 * Loads data behind the playhead, and keeps data ahead of it while the market is unchanged: an
 * event changes what follows.
 */
export class TimelineSource {
  private seen = new Map<number, number>()
  private world = ''
  private stepMs = 0

  async load(session: Session, record: SandboxRecord): Promise<Timeline> {
    const { playhead } = record
    const shiftMs = playhead.shown - playhead.at
    const lengthMs = PAST_MS + playhead.at - playhead.start
    const [interval, stepMs] =
      INTERVALS.find(([, ms]) => lengthMs / ms <= MOST_POINTS) ?? INTERVALS[5]
    const [events, known, candles, minutes] = await Promise.all([
      session.control.market.events(),
      session.control.playhead.marks(),
      session.account.perpdex.klinesWithTakerVol({
        path: { coin: COIN, interval },
        query: { startTime: playhead.start + shiftMs - PAST_MS, limit: 2000 },
      }),
      session.account.perpdex.liquidationsHistory({ query: { interval: '1m', limit: 500 } }),
    ])
    const behind = candles.map(({ openTime, close }) => ({
      at: openTime - shiftMs,
      price: Number(close),
    }))
    this.keep(`${record.id} ${record.world}`, stepMs, behind, events.events)
    const sums = minutes.map((minute) => ({
      at: Date.parse(minute.startTime) - shiftMs,
      usd: Number(minute.totalFilled),
    }))
    const marks = [
      ...eventMarks(events.events),
      ...knownMarks(known),
      ...cascadeMarks(sums.filter(({ at }) => at >= playhead.start)),
    ]
    const prices = [...this.seen].sort(([a], [b]) => a - b).map(([at, price]) => ({ at, price }))
    return { prices, marks }
  }

  private keep(
    world: string,
    stepMs: number,
    behind: readonly PricePoint[],
    events: readonly MarketEventRecord[],
  ): void {
    const source = `${world} ${events.length}`
    if (source !== this.world || stepMs !== this.stepMs) this.seen.clear()
    this.world = source
    this.stepMs = stepMs
    for (const { at, price } of behind) this.seen.set(at, price)
  }
}

const mark = (kind: Mark['kind'], from: number, to: number, text: string): Mark => ({
  kind,
  from,
  to,
  text,
})

const eventMarks = (events: readonly MarketEventRecord[]): Mark[] =>
  events.map(({ from, to, event }) =>
    mark('event', from, to, [kindText(event.kind), event.coin].filter(Boolean).join(' ')),
  )

function cascadeMarks(minutes: readonly { at: number; usd: number }[]): Mark[] {
  const usual = minutes.reduce((sum, { usd }) => sum + usd, 0) / Math.max(1, minutes.length)
  return minutes
    .filter(({ usd }) => usd >= CASCADE_USD && usd >= usual * CASCADE_FACTOR)
    .map(({ at, usd }) => mark('cascade', at, at + 60_000, `$${(usd / 1e6).toFixed(2)}M`))
}

/** Gaps, bookmarks and scenario actions; a rule that acts continuously has one long mark. */
function knownMarks(known: Awaited<ReturnType<SandboxControl['playhead']['marks']>>): Mark[] {
  const open = new Map<string, Mark>()
  return known.flatMap(({ kind, at, until, what }) => {
    const last = kind === 'fault' ? open.get(what) : undefined
    if (last && at - last.to <= SAME_FAULT_MS) {
      last.to = at
      return []
    }
    const made = mark(kind, at, until, what)
    if (kind === 'fault') open.set(what, made)
    return [made]
  })
}

/** Market events as buttons, with their sizes and durations. */
type EventKindId = Parameters<ControlCalls['market']['trigger']>[1]['kind']

const KIND_WORDS = {
  move: 'kindMove',
  liquidations: 'kindLiquidations',
  whale: 'kindWhale',
  volatility: 'kindVolatility',
  depth: 'kindDepth',
  volume: 'kindVolume',
  spread: 'kindSpread',
  funding: 'kindFunding',
  halt: 'kindHalt',
  listing: 'kindListing',
  news: 'kindNews',
} as const satisfies Readonly<Record<EventKindId, Parameters<typeof say>[0]>>

/** Name of a market event, in the present language. */
export const kindText = (kind: EventKindId): string => say(KIND_WORDS[kind])

/** Fields of the call to the control plane. */
type EventFields = Parameters<ControlCalls['market']['trigger']>[1]

export interface EventKind {
  name: 'rally' | 'crash' | 'cascade' | 'whale' | 'halt' | 'listing' | 'squeeze'
  about: `${EventKind['name']}About`
  /** Size input besides a coin; null for none. */
  size: EventSize | null
  /** Initial duration, s; null for none. */
  takesS: number | null
  fields(given: { coin: string; size: number; takesS: number }): EventFields
}

interface EventSize {
  unit: 'percent' | 'dollars' | 'interestShare' | 'ratePercent'
  usual: number
  least: number
  most: number
  step: number
}

export const EVENT_KINDS: readonly EventKind[] = [
  {
    name: 'rally',
    about: 'rallyAbout',
    size: { unit: 'percent', usual: 4, least: 0.5, most: 50, step: 0.5 },
    takesS: 120,
    fields: ({ coin, size, takesS }) => ({ kind: 'move', coin, pct: size, overS: takesS }),
  },
  {
    name: 'crash',
    about: 'crashAbout',
    size: { unit: 'percent', usual: 6, least: 0.5, most: 50, step: 0.5 },
    takesS: 90,
    fields: ({ coin, size, takesS }) => ({
      kind: 'move',
      coin,
      pct: -size,
      overS: takesS,
      revertPct: 40,
    }),
  },
  {
    name: 'cascade',
    about: 'cascadeAbout',
    size: { unit: 'interestShare', usual: 2, least: 0.1, most: 30, step: 0.1 },
    takesS: 60,
    fields: ({ coin, size, takesS }) => ({
      kind: 'liquidations',
      coin,
      side: 'long',
      interestPct: size,
      overS: takesS,
    }),
  },
  {
    name: 'whale',
    about: 'whaleAbout',
    size: { unit: 'dollars', usual: 5, least: 0.1, most: 500, step: 0.1 },
    takesS: 60,
    fields: ({ coin, size, takesS }) => ({
      kind: 'whale',
      coin,
      side: 'buy',
      usd: size * 1e6,
      overS: takesS,
    }),
  },
  {
    name: 'halt',
    about: 'haltAbout',
    size: null,
    takesS: 60,
    fields: ({ coin, takesS }) => ({ kind: 'halt', coin, forS: takesS }),
  },
  {
    name: 'listing',
    about: 'listingAbout',
    size: null,
    takesS: null,
    fields: () => ({ kind: 'listing', coin: 'newcomer' }),
  },
  {
    name: 'squeeze',
    about: 'squeezeAbout',
    size: { unit: 'ratePercent', usual: 0.05, least: -0.5, most: 0.5, step: 0.005 },
    takesS: 3600,
    fields: ({ coin, size, takesS }) => ({ kind: 'funding', coin, pct: size, forS: takesS }),
  },
]
