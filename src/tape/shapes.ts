import { DIGITS_MAX, isZero, places, signedPlaces, wholeDigits } from './decimal-text.ts'
import type { Instrument, Kind } from './event.ts'
import { type Loose, show, whole } from './loose.ts'

/** What is wrong with the data of an event, in words; null when nothing is. */
export type Shape = (data: Loose, instrument: Instrument, time: number) => string | null

/** Decimals of an instrument of which nothing is known yet. */
export const ANY_DECIMALS = Number.POSITIVE_INFINITY

/** The check of each kind's data. */
export const SHAPES: Record<Kind, Shape> = {
  trade,
  book: (data, coin) => side(data, 'bids', -1, coin, false) ?? side(data, 'asks', 1, coin, false),
  delta: (data, coin) => side(data, 'bids', -1, coin, true) ?? side(data, 'asks', 1, coin, true),
  bbo: (data, coin) => best(data, 'bid', coin) ?? best(data, 'ask', coin),
  funding: (data) =>
    signed(data, 'rate') ?? (data.premium === undefined ? null : signed(data, 'premium')),
  mark: (data) => unsigned(data, 'mark') ?? unsigned(data, 'oracle'),
  interest: (data) => unsigned(data, 'openInterest'),
  liquidation,
  exchange,
  frame,
}

function trade(data: Loose, coin: Instrument, time: number): string | null {
  if (data.side !== 'B' && data.side !== 'A') return 'needs side "B" or "A"'
  const wrong = price(data.px, coin) ?? size(data.sz, coin, false)
  if (wrong) return wrong
  if (data.tid !== undefined && !whole(data.tid)) return 'has a tid that is no whole number'
  if (data.hash !== undefined && typeof data.hash !== 'string') return 'has a hash that is no text'
  const { users, sourceTimeMs } = data
  if (users !== undefined && !texts(users, 2)) return 'has users that are not two addresses'
  if (sourceTimeMs === undefined || (whole(sourceTimeMs) && sourceTimeMs <= time)) return null
  return 'has a sourceTimeMs that does not lie before its time'
}

function side(data: Loose, name: string, way: number, coin: Instrument, changes: boolean) {
  const levels = data[name]
  if (!Array.isArray(levels)) return `needs a list of ${name}`
  let last = Number.NEGATIVE_INFINITY
  for (let i = 0; i < levels.length; i++) {
    const wrong = level(levels[i], coin, changes)
    if (wrong) return `${wrong} (${name}, level ${i + 1})`
    const rank = way * Number(levels[i][0])
    if (rank <= last) return `has ${name} that are not ordered from the best (level ${i + 1})`
    last = rank
  }
  return null
}

function best(data: Loose, name: string, coin: Instrument): string | null {
  if (data[name] === null) return null
  const wrong = level(data[name], coin, false)
  return wrong ? `${wrong} (${name})` : null
}

function level(value: unknown, coin: Instrument, changes: boolean): string | null {
  if (!Array.isArray(value) || value.length !== 3) return 'has a level that is not [px, sz, n]'
  if (!whole(value[2])) return `has ${show(value[2])} as a number of orders`
  return price(value[0], coin) ?? size(value[1], coin, changes)
}

function price(text: unknown, coin: Instrument): string | null {
  const decimals = places(text)
  if (decimals < 0 || isZero(text as string)) return `has ${show(text)} as a price`
  return fits(text as string, decimals, coin.pxDecimals) ? null : misfit('price', text, coin)
}

function size(text: unknown, coin: Instrument, changes: boolean): string | null {
  const decimals = places(text)
  // A level that is taken away has size "0" and nothing else, so that readers may compare texts.
  if (decimals < 0 || (isZero(text as string) && !(changes && text === '0')))
    return `has ${show(text)} as a size`
  return fits(text as string, decimals, coin.szDecimals) ? null : misfit('size', text, coin)
}

/** True when the number is exact as a whole number of the instrument's smallest steps. */
function fits(text: string, decimals: number, most: number): boolean {
  if (most === ANY_DECIMALS) return true
  return decimals <= most && wholeDigits(text, decimals) + most <= DIGITS_MAX
}

function misfit(what: string, text: unknown, coin: Instrument): string {
  const most = what === 'price' ? coin.pxDecimals : coin.szDecimals
  return (
    `has ${what} ${show(text)}, of ${coin.coin} it has at most ${most} decimals ` +
    `and ${DIGITS_MAX - most} digits before them`
  )
}

function liquidation(data: Loose, coin: Instrument): string | null {
  if (data.position !== 'long' && data.position !== 'short')
    return 'needs position "long" or "short"'
  const { tids } = data
  if (!Array.isArray(tids) || tids.length === 0 || !tids.every(whole))
    return 'needs the tids of the trades that carry it out'
  return size(data.sz, coin, false) ?? unsigned(data, 'markPx')
}

function exchange(data: Loose): string | null {
  for (const name of ['method', 'url', 'requestBody', 'responseBody'])
    if (typeof data[name] !== 'string') return `needs "${name}" as text`
  if (!whole(data.status)) return 'needs "status" as a whole number'
  const { headers } = data
  if (typeof headers !== 'object' || headers === null || !texts(Object.values(headers)))
    return 'needs "headers" as an object of texts'
  return null
}

function frame(data: Loose): string | null {
  if (!whole(data.connection)) return 'needs "connection" as a whole number'
  if (data.direction !== 'in' && data.direction !== 'out') return 'needs direction "in" or "out"'
  return typeof data.text === 'string' ? null : 'needs "text" as text'
}

function unsigned(data: Loose, name: string): string | null {
  return places(data[name]) < 0 ? `needs "${name}" as a decimal string` : null
}

function signed(data: Loose, name: string): string | null {
  return signedPlaces(data[name]) < 0 ? `needs "${name}" as a decimal string` : null
}

function texts(value: unknown, length?: number): boolean {
  if (!Array.isArray(value) || (length !== undefined && value.length !== length)) return false
  return value.every((item) => typeof item === 'string')
}
