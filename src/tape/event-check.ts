import { accountFlaw } from './account-data.ts'
import { CoinNumbers, decimalPlaces, signedDecimalPlaces } from './decimal-text.ts'
import { excerptOf, isWholeNumber, type UnknownRecord } from './recorded-data.ts'
import { COINLESS_KINDS, EVENT_KINDS, type EventDraft, type EventKind } from './tape-event.ts'

// Checks of recorded data: the flaw as text; null for none.

/** An HTTP exchange that ended at `time`. */
function exchangeFlaw(data: UnknownRecord, time: number): string | null {
  for (const name of ['method', 'url'])
    if (typeof data[name] !== 'string') return `needs "${name}" as text`
  if (!isWholeNumber(data.status)) return 'needs "status" as a whole number'
  return (
    momentFlaw(data, 'startedMs', time) ??
    headersFlaw(data, 'requestHeaders') ??
    headersFlaw(data, 'headers') ??
    contentFlaw(data, 'requestBody', 'requestBase64') ??
    contentFlaw(data, 'responseBody', 'responseBase64') ??
    optionalTextFlaw(data, 'error')
  )
}

/** A message on a socket. */
function frameFlaw(data: UnknownRecord): string | null {
  if (!isWholeNumber(data.connection)) return 'needs "connection" as a whole number'
  if (data.direction !== 'in' && data.direction !== 'out') return 'needs direction "in" or "out"'
  if (data.control !== undefined && data.control !== 'ping' && data.control !== 'pong')
    return `has control ${excerptOf(data.control)}, it is "ping" or "pong"`
  return contentFlaw(data, 'text', 'base64')
}

/** An event in the life of a socket. */
function connectionFlaw(data: UnknownRecord, time: number): string | null {
  if (!isWholeNumber(data.connection)) return 'needs "connection" as a whole number'
  if (data.event === 'open') return openedFlaw(data, time)
  if (data.event === 'error')
    return typeof data.message === 'string' ? null : 'needs "message" as text'
  if (data.event !== 'close') return 'needs event "open", "close" or "error"'
  if (!isWholeNumber(data.code)) return 'needs "code" as a whole number'
  if (typeof data.reason !== 'string') return 'needs "reason" as text'
  const isKnown = ['client', 'service', 'recorder'].includes(data.by as string)
  return isKnown ? null : 'needs "by" as "client", "service" or "recorder"'
}

/** A missing part of the recording. */
function gapFlaw(data: UnknownRecord, time: number): string | null {
  if (typeof data.why !== 'string') return 'needs "why" as text'
  for (const name of ['lost', 'connection'])
    if (data[name] !== undefined && !isWholeNumber(data[name]))
      return `has "${name}" that is no whole number`
  return momentFlaw(data, 'fromMs', time)
}

function openedFlaw(data: UnknownRecord, time: number): string | null {
  if (typeof data.url !== 'string') return 'needs "url" as text'
  const { protocols, protocol, continued } = data
  if (!Array.isArray(protocols) || !areTexts(protocols)) return 'needs "protocols" as texts'
  if (protocol !== null && typeof protocol !== 'string') return 'needs "protocol" as text or null'
  if (continued !== undefined && typeof continued !== 'boolean')
    return 'has "continued" that is neither true nor false'
  return momentFlaw(data, 'startedMs', time) ?? headersFlaw(data, 'requestHeaders')
}

function momentFlaw(data: UnknownRecord, name: string, time: number): string | null {
  const moment = data[name]
  if (!isWholeNumber(moment)) return `needs "${name}" in whole milliseconds`
  return moment <= time ? null : `has a ${name} that does not lie before its time`
}

function headersFlaw(data: UnknownRecord, name: string): string | null {
  const headers = data[name]
  return typeof headers === 'object' && headers !== null && areTexts(Object.values(headers))
    ? null
    : `needs "${name}" as an object of texts`
}

/** Requires exactly one of the two: text, or base64 of other bytes. */
function contentFlaw(data: UnknownRecord, text: string, base64: string): string | null {
  if ((data[text] === undefined) === (data[base64] === undefined))
    return `needs either "${text}" or "${base64}"`
  if (data[text] !== undefined)
    return typeof data[text] === 'string' ? null : `needs "${text}" as text`
  const value = data[base64]
  return typeof value === 'string' && BASE64.test(value) ? null : `needs "${base64}" in base64`
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

function optionalTextFlaw(data: UnknownRecord, name: string): string | null {
  const value = data[name]
  return value === undefined || typeof value === 'string' ? null : `has "${name}" that is no text`
}

const areTexts = (values: readonly unknown[]): boolean =>
  values.every((item) => typeof item === 'string')

/** The flaw of an event's data as text; null for none. */
type DataCheck = (data: UnknownRecord, coin: CoinNumbers, time: number) => string | null

/** The check of each kind's data. */
const DATA_CHECKS: Record<EventKind, DataCheck> = {
  trade: checkTrade,
  book: (data, coin) =>
    checkSide(data, 'bids', -1, coin, false) ?? checkSide(data, 'asks', 1, coin, false),
  delta: (data, coin) =>
    checkSide(data, 'bids', -1, coin, true) ?? checkSide(data, 'asks', 1, coin, true),
  bbo: (data, coin) => checkBest(data, 'bid', coin) ?? checkBest(data, 'ask', coin),
  funding: (data) =>
    checkSigned(data, 'rate') ?? (data.premium === undefined ? null : checkSigned(data, 'premium')),
  mark: (data) => checkUnsigned(data, 'mark') ?? checkUnsigned(data, 'oracle'),
  interest: (data) => checkUnsigned(data, 'openInterest'),
  liquidation: checkLiquidation,
  account: accountFlaw,
  exchange: (data, _, time) => exchangeFlaw(data, time),
  frame: frameFlaw,
  connection: (data, _, time) => connectionFlaw(data, time),
  gap: (data, _, time) => gapFlaw(data, time),
}

function checkTrade(data: UnknownRecord, coin: CoinNumbers, time: number): string | null {
  if (data.side !== 'B' && data.side !== 'A') return 'needs side "B" or "A"'
  const flaw = coin.priceFlaw(data.px) ?? coin.sizeFlaw(data.sz, false)
  if (flaw) return flaw
  if (data.tid !== undefined && !isWholeNumber(data.tid)) return 'has a tid that is no whole number'
  if (data.hash !== undefined && typeof data.hash !== 'string') return 'has a hash that is no text'
  const { users, sourceTimeMs } = data
  if (users !== undefined && !arePartiesOfTrade(users))
    return 'has users that are not two addresses, or null for one of them'
  if (sourceTimeMs === undefined || (isWholeNumber(sourceTimeMs) && sourceTimeMs <= time))
    return null
  return 'has a sourceTimeMs that does not lie before its time'
}

function checkSide(
  data: UnknownRecord,
  name: string,
  direction: number,
  coin: CoinNumbers,
  changes: boolean,
) {
  const levels = data[name]
  if (!Array.isArray(levels)) return `needs a list of ${name}`
  let lastRank = Number.NEGATIVE_INFINITY
  for (let i = 0; i < levels.length; i++) {
    const flaw = checkLevel(levels[i], coin, changes)
    if (flaw) return `${flaw} (${name}, level ${i + 1})`
    const rank = direction * Number(levels[i][0])
    if (rank <= lastRank) return `has ${name} that are not ordered from the best (level ${i + 1})`
    lastRank = rank
  }
  return null
}

function checkBest(data: UnknownRecord, name: string, coin: CoinNumbers): string | null {
  if (data[name] === null) return null
  const flaw = checkLevel(data[name], coin, false)
  return flaw ? `${flaw} (${name})` : null
}

function checkLevel(value: unknown, coin: CoinNumbers, changes: boolean): string | null {
  if (!Array.isArray(value) || value.length !== 3) return 'has a level that is not [px, sz, n]'
  if (!isWholeNumber(value[2])) return `has ${excerptOf(value[2])} as a number of orders`
  return coin.priceFlaw(value[0]) ?? coin.sizeFlaw(value[1], changes)
}

function checkLiquidation(data: UnknownRecord, coin: CoinNumbers): string | null {
  if (data.position !== 'long' && data.position !== 'short')
    return 'needs position "long" or "short"'
  const { tids } = data
  if (!Array.isArray(tids) || tids.length === 0 || !tids.every(isWholeNumber))
    return 'needs the tids of the trades that carry it out'
  return coin.sizeFlaw(data.sz, false) ?? checkUnsigned(data, 'markPx')
}

function checkUnsigned(data: UnknownRecord, name: string): string | null {
  return decimalPlaces(data[name]) < 0 ? `needs "${name}" as a decimal string` : null
}

function checkSigned(data: UnknownRecord, name: string): string | null {
  return signedDecimalPlaces(data[name]) < 0 ? `needs "${name}" as a decimal string` : null
}

/** Buyer and seller, one of whom may be unknown. */
function arePartiesOfTrade(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const named = value.filter((item) => typeof item === 'string')
  return named.length > 0 && value.every((item) => item === null || typeof item === 'string')
}

/** The preceding event's time and number. */
export interface PrecedingEvent {
  time: number
  seq: number
}

const KNOWN: ReadonlySet<unknown> = new Set<EventKind>(EVENT_KINDS)

/**
 * The flaw of a parsed line as an event, as text; null for none.
 *
 * After null the value is a `TapeEvent`. Written by hand because it runs several hundred thousand
 * times a second, which a schema library cannot do.
 */
export function eventFlaw(
  value: unknown,
  preceding: PrecedingEvent,
  coins: ReadonlyMap<string, CoinNumbers>,
): string | null {
  if (typeof value !== 'object' || value === null) return 'is not an event object'
  const { time, seq, kind, coin, data } = value as UnknownRecord
  if (!isWholeNumber(time)) return 'needs "time" in whole milliseconds'
  if (!isWholeNumber(seq)) return 'needs "seq" as a whole number'
  if (seq <= preceding.seq) return `has seq ${seq} after ${preceding.seq}, it must rise`
  if (time < preceding.time) return `goes back in time, from ${preceding.time} to ${time}`
  if (!KNOWN.has(kind)) return `has kind ${excerptOf(kind)}, known are ${EVENT_KINDS.join(', ')}`
  if (typeof data !== 'object' || data === null) return 'needs a "data" object'
  if (COINLESS_KINDS.has(kind) || (kind === 'gap' && coin === '')) {
    if (coin !== '') return `needs an empty coin, as every ${kind}`
    return DATA_CHECKS[kind as EventKind](data as UnknownRecord, NO_COIN, time)
  }
  const numbers = coins.get(coin as string)
  if (!numbers) return `names coin ${excerptOf(coin)}, which is not among the header's instruments`
  return DATA_CHECKS[kind as EventKind](data as UnknownRecord, numbers, time)
}

/** The same for a coin's event without a number so far. */
export function draftFlaw(
  draft: EventDraft,
  beforeMs: number,
  numbers: CoinNumbers,
): string | null {
  const { time, kind, coin, data } = draft
  if (!isWholeNumber(time)) return 'needs "time" in whole milliseconds'
  if (time < beforeMs) return `goes back in time, from ${beforeMs} to ${time}`
  if (!KNOWN.has(kind)) return `has kind ${excerptOf(kind)}, known are ${EVENT_KINDS.join(', ')}`
  if (kind !== 'gap' && COINLESS_KINDS.has(kind) !== (coin === ''))
    return `has coin ${excerptOf(coin)}`
  return DATA_CHECKS[kind](data as unknown as UnknownRecord, numbers, time)
}

const NO_COIN = new CoinNumbers(null)
