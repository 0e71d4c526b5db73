/**
 * Books of the same assets on other exchanges, derived from the tape's own.
 *
 * The tape knows one venue. So that pairs of other exchanges answer too, each gets the tape's book
 * moved by its own basis, widened by its own spread, put on its own tick and with sizes of its own.
 * The same book always gives the same derived book; it is never crossed.
 */
import { add, px, raw, sz, ZERO } from '../../decimal/quantity.ts'
import { divide, pow10 } from '../../decimal/scaled.ts'
import { type Book, type PriceLevel, priceLevel } from '../books/book.ts'
import type { InstrumentRow } from '../schema.ts'

export interface Exchange {
  /** As written after the colon of a dbKey. */
  key: string
  /** Hundredths of a basis point that its prices lie above the tape's: perpetuals, spot. */
  basis: { swap: number; spot: number }
  /** Hundredths of a basis point by which each side is moved away from the middle. */
  widening: number
  /** Its sizes in percent of the tape's. */
  depth: number
  /** Significant figures of a price, and the step of the last one. */
  tick: { figures: number; step: number }
}

export const EXCHANGES: readonly Exchange[] = [
  {
    key: 'binance',
    basis: { swap: 110, spot: -140 },
    widening: 2,
    depth: 310,
    tick: tickRule(6, 1),
  },
  { key: 'okex', basis: { swap: 60, spot: -180 }, widening: 3, depth: 190, tick: tickRule(6, 1) },
  { key: 'bybit', basis: { swap: 90, spot: -120 }, widening: 4, depth: 170, tick: tickRule(6, 1) },
  { key: 'gate', basis: { swap: 150, spot: -60 }, widening: 15, depth: 60, tick: tickRule(5, 1) },
  { key: 'huobi', basis: { swap: -40, spot: -230 }, widening: 20, depth: 45, tick: tickRule(5, 1) },
  { key: 'bitget', basis: { swap: 70, spot: -90 }, widening: 8, depth: 85, tick: tickRule(5, 2) },
]

function tickRule(figures: number, step: number) {
  return { figures, step }
}

type FirstPrice = Pick<InstrumentRow, 'firstPx'>

/** The book of another exchange; same units as the tape's. */
export function derivedBook(
  book: Book,
  of: FirstPrice,
  on: Exchange,
  market: 'swap' | 'spot',
): Book {
  const step = tickOf(of, on)
  const bidRate = RATE_SCALE + on.basis[market] - on.widening
  const askRate = RATE_SCALE + on.basis[market] + on.widening
  const salt = saltOf(`${on.key}/${market}`)
  return {
    timeMs: book.timeMs,
    bids: shiftLevels(
      book.bids,
      (price) => Math.floor((price * bidRate) / RATE_SCALE / step) * step,
      on,
      salt,
    ),
    asks: shiftLevels(
      book.asks,
      (price) => Math.ceil((price * askRate) / RATE_SCALE / step) * step,
      on,
      salt,
    ),
    roundedCache: new Map(),
  }
}

/** One: rates are counted in hundredths of a basis point. */
const RATE_SCALE = 1_000_000

/** The exchange's tick in price units. It follows the tape's first price, so it never changes. */
export function tickOf({ firstPx }: FirstPrice, { tick: { figures, step } }: Exchange): number {
  const surplus = String(firstPx ?? 1).length - figures
  return surplus < 0 ? 1 : step * pow10(surplus)
}

function shiftLevels(
  side: readonly PriceLevel[],
  move: (price: number) => number,
  on: Exchange,
  salt: number,
): PriceLevel[] {
  const levels: PriceLevel[] = []
  for (const one of side) {
    const price = px(move(raw(one.px)))
    if (price <= ZERO) continue
    const part = on.depth * (50 + (hashPrice(raw(one.px), salt) % 101))
    const size = sz(Math.max(1, divide(raw(one.sz) * part, 10_000)))
    const last = levels.at(-1)
    if (last?.px === price)
      levels[levels.length - 1] = priceLevel([price, add(last.sz, size), last.n + one.n])
    else levels.push(priceLevel([price, size, one.n]))
  }
  return levels
}

function saltOf(text: string): number {
  let seed = 2166136261
  for (let at = 0; at < text.length; at++) seed = Math.imul(seed ^ text.charCodeAt(at), 16777619)
  return seed
}

/** A whole number >= 0 that looks random but follows from the price. */
function hashPrice(price: number, salt: number): number {
  let hash = Math.imul((price % 4294967296) ^ salt, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
