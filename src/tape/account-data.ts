/** Recorded facts about an account. Each part may occur alone. */
import { decimalPlaces, signedDecimalPlaces } from './decimal-text.ts'
import { isWholeNumber, type UnknownRecord } from './recorded-data.ts'

export interface AccountData {
  address: string
  /** Builder dex of positions and cash; empty for the main one. */
  dex: string
  /** USD: the value of the account less the unrealised PnL of its positions. */
  cash?: string
  positions?: AccountPosition[]
  orders?: AccountOrder[]
  /** Of the spot account. */
  balances?: AccountBalance[]
  transfers?: AccountTransfer[]
}

export interface AccountPosition {
  coin: string
  /** Signed size. */
  szi: string
  entryPx: string
  leverage: number
  isolated: boolean
}

/** An open order. */
export interface AccountOrder {
  coin: string
  side: 'B' | 'A'
  limitPx: string
  /** Remaining size. */
  sz: string
  placedMs: number
  orderType: string
  tif: string | null
  reduceOnly: boolean
  /** null for an order without a trigger. */
  triggerPx: string | null
  triggerCondition: string
}

export interface AccountBalance {
  token: string
  total: string
}

/** USD deposited from or withdrawn to outside, unsigned. */
export interface AccountTransfer {
  timeMs: number
  type: 'deposit' | 'withdraw'
  usd: string
}

/** The flaw of an account's data as text; null for none. */
export function accountFlaw(data: UnknownRecord): string | null {
  if (typeof data.address !== 'string' || !/^0x[0-9a-f]{40}$/.test(data.address))
    return 'needs "address": 0x and 40 hexadecimal digits in lower case'
  if (typeof data.dex !== 'string') return 'needs "dex" as text'
  if (data.cash !== undefined && !isSigned(data.cash)) return 'has "cash" that is no decimal string'
  for (const [name, isRow] of Object.entries(ROWS)) {
    const rows = data[name]
    if (rows === undefined) continue
    if (!Array.isArray(rows)) return `has "${name}" that is no list`
    const wrong = rows.findIndex((row) => typeof row !== 'object' || row === null || !isRow(row))
    if (wrong !== -1) return `has a row of ${name} that is none (row ${wrong + 1})`
  }
  return null
}

const isUnsigned = (value: unknown): boolean => decimalPlaces(value) >= 0
const isSigned = (value: unknown): boolean => signedDecimalPlaces(value) >= 0
const isText = (value: unknown): boolean => typeof value === 'string'

const ROWS: Readonly<Record<string, (row: UnknownRecord) => boolean>> = {
  positions: ({ coin, szi, entryPx, leverage, isolated }) =>
    isText(coin) &&
    isSigned(szi) &&
    isUnsigned(entryPx) &&
    isWholeNumber(leverage) &&
    leverage > 0 &&
    typeof isolated === 'boolean',
  orders: (row) =>
    isText(row.coin) &&
    (row.side === 'B' || row.side === 'A') &&
    isUnsigned(row.limitPx) &&
    isUnsigned(row.sz) &&
    isWholeNumber(row.placedMs) &&
    isText(row.orderType) &&
    isText(row.triggerCondition) &&
    (row.tif === null || isText(row.tif)) &&
    (row.triggerPx === null || isUnsigned(row.triggerPx)) &&
    typeof row.reduceOnly === 'boolean',
  balances: ({ token, total }) => isText(token) && isUnsigned(total),
  transfers: ({ timeMs, type, usd }) =>
    isWholeNumber(timeMs) && (type === 'deposit' || type === 'withdraw') && isUnsigned(usd),
}
