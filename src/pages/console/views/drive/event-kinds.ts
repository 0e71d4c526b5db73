/** The market events that stand as buttons, with their sizes and durations. */
import type { ControlCalls } from '../../../../clients/control/control.ts'
import { say } from './words.ts'

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

/** What a market event is called, in the language that is shown. */
export const kindText = (kind: EventKindId): string => say(KIND_WORDS[kind])

/** What the control plane is told. */
export type EventFields = Parameters<ControlCalls['market']['trigger']>[1]

export interface EventKind {
  name: 'rally' | 'crash' | 'cascade' | 'whale' | 'halt' | 'listing' | 'squeeze'
  about: `${EventKind['name']}About`
  /** What is asked for besides a coin; null where it has no size. */
  size: EventSize | null
  /** How long it takes, s, at first; null where that is not asked. */
  takesS: number | null
  fields(given: { coin: string; size: number; takesS: number }): EventFields
}

export interface EventSize {
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
