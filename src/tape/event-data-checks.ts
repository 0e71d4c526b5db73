import { accountFlaw } from './account-data.ts'
import type { CoinNumbers } from './coin-numbers.ts'
import { decimalPlaces, signedDecimalPlaces } from './decimal-text.ts'
import { connectionFlaw, exchangeFlaw, frameFlaw, gapFlaw } from './recorded-data-checks.ts'
import type { EventKind } from './tape-event.ts'
import { excerptOf, isWholeNumber, type UnknownRecord } from './unknown-record.ts'

/** What is wrong with the data of an event, in words; null when nothing is. */
export type DataCheck = (data: UnknownRecord, coin: CoinNumbers, time: number) => string | null

/** The check of each kind's data. */
export const DATA_CHECKS: Record<EventKind, DataCheck> = {
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

/** Buyer and seller, of whom one may be unknown. */
function arePartiesOfTrade(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const named = value.filter((item) => typeof item === 'string')
  return named.length > 0 && value.every((item) => item === null || typeof item === 'string')
}
