import { places } from './decimal-text.ts'
import { type Draft, type Instrument, KINDS, type Kind } from './event.ts'
import { type Loose, SHAPES } from './shapes.ts'

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

/** Decimals that the numbers of an event have at most, as [price, size]. */
export function decimalsOf({ kind, data }: Draft): [px: number, sz: number] {
  const found: [number, number] = [0, 0]
  const see = (px: string, sz: string) => {
    found[0] = Math.max(found[0], places(px))
    found[1] = Math.max(found[1], places(sz))
  }
  const shape = data as unknown as Loose
  if (kind === 'trade') see(shape.px as string, shape.sz as string)
  const sides = kind === 'bbo' ? [[shape.bid], [shape.ask]] : [shape.bids ?? [], shape.asks ?? []]
  for (const side of sides as ([string, string, number] | null)[][])
    for (const level of side) if (level) see(level[0], level[1])
  return found
}

const NO_COIN: Instrument = {
  coin: '',
  kind: 'perp',
  dex: '',
  base: '',
  quote: '',
  pxDecimals: 15,
  szDecimals: 15,
  maxLeverage: 1,
}

function whole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
