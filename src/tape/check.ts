import { type Draft, type Instrument, KINDS, type Kind } from './event.ts'
import { type Loose, show, whole } from './loose.ts'
import { ANY_DECIMALS, SHAPES } from './shapes.ts'

/** What is known of the events before this one. */
export interface Before {
  time: number
  seq: number
}

const KNOWN: ReadonlySet<unknown> = new Set<Kind>(KINDS)

/**
 * What is wrong with a parsed line that should be an event, in words; null when nothing is.
 *
 * Once null has been answered the value is a `TapeEvent`. Written by hand because it runs several
 * hundred thousand times a second, which a schema library does not.
 */
export function flaw(
  value: unknown,
  before: Before,
  instruments: ReadonlyMap<string, Instrument>,
): string | null {
  if (typeof value !== 'object' || value === null) return 'is not an event object'
  const { time, seq, kind, coin, data } = value as Loose
  if (!whole(time)) return 'needs "time" in whole milliseconds'
  if (!whole(seq)) return 'needs "seq" as a whole number'
  if (seq <= before.seq) return `has seq ${seq} after ${before.seq}, it must rise`
  if (time < before.time) return `goes back in time, from ${before.time} to ${time}`
  if (!KNOWN.has(kind)) return `has kind ${show(kind)}, known are ${KINDS.join(', ')}`
  if (typeof data !== 'object' || data === null) return 'needs a "data" object'
  if (kind === 'exchange' || kind === 'frame') {
    if (coin !== '') return `needs an empty coin, as every ${kind}`
    return SHAPES[kind as Kind](data as Loose, NO_COIN, time)
  }
  const instrument = instruments.get(coin as string)
  if (!instrument) return `names coin ${show(coin)}, which is not among the header's instruments`
  return SHAPES[kind as Kind](data as Loose, instrument, time)
}

/** The same for an event still without a number; its instrument may be named later. */
export function draftFlaw(draft: Draft, beforeMs: number, instrument?: Instrument): string | null {
  const { time, kind, coin, data } = draft
  if (!whole(time)) return 'needs "time" in whole milliseconds'
  if (time < beforeMs) return `goes back in time, from ${beforeMs} to ${time}`
  if (!KNOWN.has(kind)) return `has kind ${show(kind)}, known are ${KINDS.join(', ')}`
  const coinless = kind === 'exchange' || kind === 'frame'
  if (coinless !== (coin === '')) return `has coin ${show(coin)}`
  return SHAPES[kind](data as unknown as Loose, instrument ?? NO_COIN, time)
}

const NO_COIN: Instrument = {
  coin: '',
  kind: 'perp',
  dex: '',
  base: '',
  quote: '',
  pxDecimals: ANY_DECIMALS,
  szDecimals: ANY_DECIMALS,
  maxLeverage: 1,
}
