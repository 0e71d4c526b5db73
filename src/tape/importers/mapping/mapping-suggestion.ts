import { UserError } from '../../../platform/user-error.ts'
import type { UnknownRecord } from '../../recorded-data.ts'
import type { Instrument } from '../../tape-event.ts'
import { coinSize, decimalText, readContractSize, scaled } from '../contract-size.ts'
import { csvCells, delimiterOf, readTimeMs } from '../csv-cells.ts'
import { DecimalReader, type DigitCount } from '../decimal-reader.ts'
import type { ContractSize } from '../importer.ts'
import { guessInstrument, type Market, splitPair, splitSymbol } from '../market-symbol.ts'
import type { Sample } from '../sample.ts'
import { cellNumber, type TableRow } from '../table-row.ts'
import { OPEN, type RecordMapping } from './mapping.ts'

/** Whether the buyer was the maker, so that the taker sold. */
const MAKER = /maker|^m$/

/** Whether the taker sold. */
const SOLD = /^(?:is_)?sell(?:er)?$/

/** Common column names of a field; the first pattern wins. */
const NAMES: Record<string, readonly RegExp[]> = {
  time: [
    /^(?:time|timestamp|ts|date|datetime|unix|ts_event)$/,
    /time|stamp|date|^when|^rec[ev]|^ts_|_?at$/,
    /^(?:[te]|mts)$/,
  ],
  coin: [
    /^(?:coin|symbol|instrument|market|pair|ticker)$/,
    /^(?!.*time).*(?:coin|sym|instr|pair|inst_?id|product_?id)/,
    /^s$/,
  ],
  px: [/^(?:px|price)$/, /price|px/, /^p$/],
  sz: [
    /^(?:sz|size|qty|quantity|amount)$/,
    /^(?!.*quote).*(?:size|qty|quantity|amount|vol)/,
    /size|qty|quantity|amount|vol/,
    /^[qv]$/,
  ],
  side: [/^(?:side|taker_side|direction)$/, /side|direction|^taker$/, MAKER, SOLD],
  type: [/^type$/],
  tid: [/^(?:tid|trade_?id|id)$/, /trade_?id/],
  mark: [/mark/],
  oracle: [/oracle|index/],
  rate: [/funding_?rate|^funding$|^rate$/],
  openInterest: [/open_?interest|^oi$/],
  snapshot: [/snapshot/, /^update_?type$/],
  bidPx: [/^(?:best_?)?bid_?(?:px|price)?$/, /bid.*(?:px|price)|(?:px|price).*bid/],
  bidSz: [/bid.*(?:sz|size|qty|quantity|amount|vol)|(?:sz|size|qty|quantity|amount|vol).*bid/],
  askPx: [/^(?:best_?)?ask_?(?:px|price)?$/, /ask.*(?:px|price)|(?:px|price).*ask/],
  askSz: [/ask.*(?:sz|size|qty|quantity|amount|vol)|(?:sz|size|qty|quantity|amount|vol).*ask/],
}

/**
 * A mapping template in YAML for a file of an unknown form. Fields are filled in by their names;
 * others are `???`, to be completed or removed.
 */
export function suggestedMapping(sample: Sample): string {
  const { each, where, names, values, shown } = shownRecord(sample)
  const byValue = names.every((name) => /^\d+$/.test(name)) ? fieldsByValue(values) : null
  const fields: ShownFields = {
    names,
    called: byValue
      ? (field) => byValue[field]
      : (field) => named(field, names) ?? (field === 'side' ? sideIn(names) : undefined),
    isByValue: byValue !== null,
    coinName: coinIn(sample.base),
    values,
    shown,
  }
  const [first = '', ...rest] = recordLines(fields)
  const records = recordKinds(first, where, fields).map(([kind, only]) => [
    kind,
    ...(each === null ? [] : [`each: ${quoted(each)}`]),
    ...(Object.keys(only).length === 0 ? [] : [`where: ${JSON.stringify(only)}`]),
    ...rest,
  ])
  return [
    `# Contents of ${sample.base}; docs/importing.md describes the fields.`,
    `# Its ${sample.container === 'table' ? 'columns' : 'fields'}: ${names.join(', ') || 'none'}`,
    ...(isLedger(fields) ? [LEDGER] : []),
    'records:',
    ...records.flatMap((record) =>
      record.map((line, at) => (at === 0 ? `  - ${line}` : `    ${line}`)),
    ),
    '',
  ].join('\n')
}

const isLedger = ({ names, called }: ShownFields) =>
  names.some((name) => /^balance/.test(lastPart(name))) && !called('px') && !called('mark')

const LEDGER =
  '# It has balances and no price, like the ledger of an account: export its trades instead.'

type Only = Record<string, unknown>

/** A kind of record and which records: of a book that says so, a snapshot and its changes. */
function recordKinds(first: string, where: Only, { names, shown }: ShownFields): [string, Only][] {
  const kind = names.find((name) => valueAt(shown, pathOf(name)) === 'snapshot')
  if (kind === undefined || !first.startsWith('kind: book')) return [[first, where]]
  const changes = first.replace('book', 'delta')
  return [
    [first, { ...where, [kind]: 'snapshot' }],
    [changes, { ...where, [kind]: 'delta' }],
    [changes, { ...where, [kind]: 'update' }],
  ]
}

interface ShownFields {
  names: readonly string[]
  /** The field that is mostly called so. */
  called: (field: string) => string | undefined
  /** The coin that the name of the file says. */
  coinName: string | null
  values: ReadonlyMap<string, string>
  /** Whether fields were found by their values. */
  isByValue: boolean
  /** The record that has the fields; null of a table. */
  shown: unknown
}

function recordLines(fields: ShownFields): string[] {
  const { names, called: nameFor, coinName, values, shown } = fields
  const [bids, asks] = [sideOf(names, 'bid', shown), sideOf(names, 'ask', shown)]
  const line = (field: string, found = nameFor(field)) =>
    `${field}: ${found === undefined ? `'${OPEN}' # ${ABOUT[field]}` : quoted(found)}`
  const optional = (field: string) => (nameFor(field) ? [line(field)] : [])
  const coin = nameFor('coin')
  const head = (kind: string) => [
    `kind: ${kind} # ${KINDS}`,
    coin === undefined ? coinLine(coinName) : line('coin'),
    `${line('time')}${nameFor('time') ? ' # add timeUnit: s, ms, us, ns or iso' : ''}`,
  ]
  if (bids && asks) return [...head('book'), `bids: ${bids}`, `asks: ${asks}`]
  const isBest = ['bidPx', 'askPx'].every((field) => nameFor(field))
  if (isBest && !nameFor('side'))
    return [...head('bbo'), ...['bidPx', 'bidSz', 'askPx', 'askSz'].map((field) => line(field))]
  const marks = ['mark', 'oracle'].every((field) => nameFor(field))
  if (marks && !nameFor('side')) return [...head('mark'), line('mark'), line('oracle')]
  if (nameFor('rate') && !nameFor('side')) return [...head('funding'), line('rate')]
  const kind = nameFor('snapshot') ? 'level' : 'trade'
  return [
    ...head(kind),
    ...['px', 'sz'].map((field) => line(field)),
    ...sideLines(fields),
    ...(isFlag(nameFor('side') ?? '', values) ? ['buy: [false]', 'sell: [true]'] : []),
    ...optional(kind === 'trade' ? 'tid' : 'snapshot'),
    '# szUnit: contract, with contract: 0.001 or 100usd, where sizes are no coins',
  ]
}

/** The line of the side; a size below zero has it in its sign. */
function sideLines({ called: nameFor, values, isByValue }: ShownFields): string[] {
  const [side, sz = ''] = [nameFor('side'), nameFor('sz')]
  if (side !== undefined) return [`side: ${quoted(side)}`]
  if (values.get(sz)?.startsWith('-')) return [`side: ${quoted(sz)} # its sign is the side`]
  // Such rows have no side, then: prices tell it.
  return [isByValue ? `# no side: ${ABOUT.side}` : `side: '${OPEN}' # ${ABOUT.side}`]
}

const KINDS = 'trade, book, delta, level, bbo, mark, funding, interest or liquidation'

const ABOUT: Record<string, string> = {
  time: 'the column of the time',
  px: 'the column of the price',
  sz: 'the column of the size',
  side:
    "the column of the taker's side, or of a size with a sign; " +
    'without one a higher price counts as bought',
  bidSz: 'the column of the size of the best bid',
  askSz: 'the column of the size of the best ask',
}

function named(field: string, names: readonly string[]): string | undefined {
  for (const pattern of NAMES[field] ?? []) {
    const found = names.find((name) => pattern.test(lastPart(name)))
    if (found !== undefined) return found
  }
  return undefined
}

const lastPart = (name: string): string => (name.split('.').at(-1) ?? name).toLowerCase()

const PRICE = /price|px|p(?=\d|_|$)/i
const SIZE = /size|sz|qty|amount|vol|[qv](?=\d|_|$)/i

/** `bid_px_0`, `bids[0].price` and `bid0_sz` are columns of levels; `bids` may be a list. */
function sideOf(names: readonly string[], side: 'bid' | 'ask', shown: unknown): string | null {
  const numbered = names.filter((name) => name.toLowerCase().includes(side) && /\d/.test(name))
  const [px, sz] = [PRICE, SIZE].map((pattern) =>
    numbered.find((name) => pattern.test(name.replace(/bids?|asks?/i, ''))),
  )
  if (px && sz) return `{px: ${quoted(leveled(px))}, sz: ${quoted(leveled(sz))}}`
  const list = listOf(names, side, shown)
  return list === undefined ? null : `{list: ${quoted(list)}, px: 0, sz: 1}`
}

/** The field of a list of levels: `bids`, or `b` where it is a list of lists. */
function listOf(names: readonly string[], side: 'bid' | 'ask', shown: unknown) {
  const levelsIn = (name: string) => valueAt(shown, pathOf(name))
  const isCalled = (name: string) => [side, `${side}s`].includes(lastPart(name))
  const isShort = (name: string) => lastPart(name) === side[0]
  return names.find((name) => {
    const list = levelsIn(name)
    if (!Array.isArray(list)) return false
    return isCalled(name) || (isShort(name) && Array.isArray(list[0]))
  })
}

const hasBook = (names: readonly string[], shown: unknown): boolean =>
  listOf(names, 'bid', shown) !== undefined && listOf(names, 'ask', shown) !== undefined

const leveled = (name: string): string => name.replace(/\d+/, '{n}')

/** Quotes names that YAML would parse differently. */
const quoted = (name: string): string =>
  /^[A-Za-z_][\w.]*$/.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(name)
    ? name
    : JSON.stringify(name)

/** A record: the cells of a row, or an object. */
export type MappedRecord = TableRow | UnknownRecord

/** Reads one field of a record as a text; null where it is empty or missing. */
export type Field = (record: MappedRecord) => string | null

/** Resolves a mapping's field names in the records of one file. */
export interface FieldAccess {
  /** A column or path; a `UserError` for an unknown column of a table. */
  field(name: string | number): Field
  has(name: string): boolean
  /** A list in an object. */
  list(name: string | number): (record: MappedRecord) => readonly unknown[]
}

/** Columns of a table by name, or by index from 0 without a header; paths in objects. */
export function fieldAccess(sample: Sample): FieldAccess {
  return sample.container === 'table' ? tableAccess(sample) : objectAccess(sample)
}

function tableAccess({ columns, line }: Sample): FieldAccess {
  const place = (name: string | number): number => {
    if (columns === null) return /^\d+$/.test(String(name)) ? Number(name) : -1
    return columns.indexOf(String(name))
  }
  const known = columns?.join(', ') ?? `none, only numbers of columns, from 0: ${line}`
  return {
    has: (name) => place(name) >= 0,
    field(name) {
      const at = place(name)
      if (at < 0) throw new UserError(`has no column "${name}"; it has ${known}`)
      return (record) => textOf((record as TableRow).cell(at))
    },
    list(name) {
      throw new UserError(`has no list "${name}": a table has columns, such as px: bid_px_{n}`)
    },
  }
}

const objectAccess = ({ record }: Sample): FieldAccess => ({
  // For objects only the first one can be checked.
  has: (name) => valueAt(record, pathOf(name)) !== undefined,
  field(name) {
    const path = pathOf(name)
    return (record) => textOf(valueAt(record, path))
  },
  list(name) {
    const path = pathOf(name)
    return (record) => {
      const value = valueAt(record, path)
      if (Array.isArray(value)) return value
      throw new UserError(`has no list in "${name}"`)
    }
  },
})

/** `data.bids.0.px` and `data.bids[0].px` are the same. */
export const pathOf = (name: string | number): readonly string[] =>
  String(name)
    .replace(/\[(\d+)\]/g, '.$1')
    .split('.')

/** Value at a path; a field may have the whole path as its name. */
export function valueAt(record: unknown, path: readonly string[]): unknown {
  if (path.length === 0) return record
  if (typeof record !== 'object' || record === null) return undefined
  const whole = path.join('.')
  if (path.length > 1 && Object.hasOwn(record, whole)) return (record as UnknownRecord)[whole]
  const [first = '', ...rest] = path
  return Object.hasOwn(record, first) ? valueAt((record as UnknownRecord)[first], rest) : undefined
}

/** Numbers, words and booleans in the form of a table cell. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** A first record: the names that a mapping could use, with what is known of their values. */
interface ShownRecord {
  /** The path of the list that it is an item of; null where it is a line or row. */
  each: string | null
  where: Only
  names: string[]
  values: ReadonlyMap<string, string>
  shown: unknown
}

/** Columns, or the paths of the fields of a first record: of a list in it where that has prices. */
function shownRecord({ container, columns, record, line }: Sample): ShownRecord {
  const bare = { each: null, where: {}, values: new Map<string, string>(), shown: null }
  if (columns !== null) return { ...bare, names: [...columns] }
  if (record !== null)
    return listedRecord(record) ?? { ...bare, names: leafPaths(record, ''), shown: record }
  if (container !== 'table') return { ...bare, names: [] }
  const cells = csvCells(line, delimiterOf(line))
  const values = new Map(cells.map((cell, at) => [String(at), cell]))
  return { ...bare, names: [...values.keys()], values }
}

/** The first item of the list in a record that has prices, where the record itself has none. */
function listedRecord(record: UnknownRecord): ShownRecord | null {
  const outer = leafPaths(record, '')
  if (named('px', outer) !== undefined || hasBook(outer, record)) return null
  for (const each of outer) {
    const list = valueAt(record, pathOf(each))
    const item = Array.isArray(list) ? list[0] : undefined
    if (typeof item !== 'object' || item === null) continue
    const isRow = Array.isArray(item)
    const inner = isRow ? item.map((_, at) => String(at)) : leafPaths(item as UnknownRecord, '')
    const values = new Map(inner.map((name) => [name, textOf(valueAt(item, pathOf(name))) ?? '']))
    const isPriced = isRow ? fieldsByValue(values).px : named('px', inner)
    if (isPriced === undefined && !hasBook(inner, item)) continue
    const channels = outer.filter((name) => lastPart(name) === 'channel')
    const where = Object.fromEntries(channels.map((name) => [name, valueAt(record, pathOf(name))]))
    const shown = { ...record, ...item }
    return { each, where, names: isRow ? inner : [...inner, ...outer], values, shown }
  }
  return null
}

/** Beside the type of an order, the other type of an account's trade is its side. */
const sideIn = (names: readonly string[]): string | undefined =>
  names.some((name) => /^order_?type$/i.test(name)) ? named('type', names) : undefined

const SIDE_WORD = /^(?:buy|sell|b|s|bid|ask)$/i
const FLAG = /^(?:true|false)$/i
const NUMBER = /^-?\d+(?:\.\d+)?(?:e-?\d+)?$/i

/** What the cells of a row without a header mostly are: a price comes before its size. */
function fieldsByValue(values: ReadonlyMap<string, string>): Record<string, string | undefined> {
  const cells = [...values]
  const find = (fits: (cell: string) => boolean) => cells.find(([, cell]) => fits(cell))?.[0]
  const time = find(isTime)
  const numbers = cells.filter(([name, cell]) => name !== time && NUMBER.test(cell))
  const isWhole = ([, cell]: [string, string]) => /^\d{1,19}$/.test(cell)
  const tid = numbers.length > 2 ? numbers.find(isWhole)?.[0] : undefined
  const rest = numbers.filter(([name]) => name !== tid)
  // Where sizes have a sign they may come first.
  const signed = rest.slice(0, 2).find(([, cell]) => cell.startsWith('-'))
  const [px, sz] = (
    signed ? [...rest.slice(0, 2).filter((one) => one !== signed), signed] : rest
  ).map(([name]) => name)
  const side = find((cell) => SIDE_WORD.test(cell)) ?? find((cell) => FLAG.test(cell))
  return { time, tid, px, sz, side }
}

/** Digits of seconds to nanoseconds, or a date. */
const TIME = /^(?:\d{10}(?:\.\d+)?|\d{13}|\d{16}|\d{19}|\d{4}-\d\d-\d\d.*)$/

function isTime(cell: string): boolean {
  if (!TIME.test(cell)) return false
  try {
    return readTimeMs(cell, 'auto') > 0
  } catch {
    return false
  }
}

/** Whether a column of sides says by true and false whether the taker sold. */
const isFlag = (name: string, values: ReadonlyMap<string, string>): boolean =>
  MAKER.test(name) || SOLD.test(name.toLowerCase()) || FLAG.test(values.get(name) ?? '')

/** The coin that a file's name says, such as `BTCUSDT-trades-2026-04.csv`; null for none. */
function coinIn(name: string): string | null {
  const symbol = DOLLAR_SYMBOL.exec(name)
    ?.slice(1)
    .find((part) => part !== undefined)
  if (symbol !== undefined) return splitSymbol(symbol.replace('_', '-')).coin
  const pair = PAIR_SYMBOL.exec(name)?.[1]
  return pair === undefined ? null : splitPair(pair.replace('_', '-')).coin
}

/** In capitals, or all in small letters. */
const DOLLAR_SYMBOL = new RegExp(
  ['USDT|USDC|USD|PERP', 'usdt|usdc|usd|perp']
    .map((quotes, small) => `(${small ? '[a-z' : '[A-Z'}\\d]{2,10}[-_]?(?:${quotes}))`)
    .map((symbol) => `(?:^|[^A-Za-z])${symbol}(?![A-Za-z])`)
    .join('|'),
)
/** Coins end as other coins do, and not as currencies: `WBTC` is no pair. */
const PAIR_SYMBOL =
  /(?:^|[^A-Za-z])([A-Z\d]{2,10}(?:[-_]?(?:EUR|GBP|JPY|KRW)|[-_](?:BTC|ETH|BNB)))(?![A-Za-z])/

const coinLine = (coin: string | null): string =>
  coin === null ? `coinName: '${OPEN}' # such as BTC` : `coinName: ${coin} # by the file's name`

function leafPaths(record: UnknownRecord, before: string, depth = 0): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const path = `${before}${name}`
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRecord && depth < 4 ? leafPaths(value as UnknownRecord, `${path}.`, depth + 1) : [path]
  })
}

/** Coins of records and their numbers, in the mapping's units. */
export class MappedNumbers {
  private readonly decimals: DecimalReader
  private readonly perps = new Map<string, Market>()
  private readonly pairs = new Map<string, Market>()

  constructor(rounded: DigitCount) {
    this.decimals = new DecimalReader(true, rounded)
  }

  /** Coin of a symbol; a perpetual's unless the mapping declares spot. */
  coin(symbol: string, { market }: RecordMapping): string {
    const markets = market === 'spot' ? this.pairs : this.perps
    const known = markets.get(symbol)
    if (known) return known.coin
    // The perpetual venue's own names are kept: xyz:TSLA, @107, PURR/USDC.
    const isOwn = /[:@/]/.test(symbol)
    const quoteOf = symbol.includes('/') ? (symbol.split('/')[1] ?? '') : 'USDC'
    const named = isOwn ? { coin: symbol, quote: quoteOf } : split(symbol, market)
    markets.set(symbol, named)
    return named.coin
  }

  px(coin: string, text: string | null, { pxTimes, round }: RecordMapping): string {
    return this.decimals.px(coin, factored(text, pxTimes, round))
  }

  /** In coins, `0` for none. */
  sz(coin: string, text: string | null, px: string, record: RecordMapping): string {
    const written = factored(text, record.szTimes, record.round)
    const contract = contractIn(record)
    if (written === null || contract === null) return this.decimals.sz(coin, written)
    return this.decimals.sz(coin, coinSize(written, px, contract))
  }

  /** A number that does not affect the instrument's decimals; null for none. */
  number(text: string | null, round?: number): string | null {
    const plain = factored(text, undefined, round)
    return plain === null ? null : this.decimals.decimal(plain, true)
  }

  instruments(): Instrument[] {
    return [...this.perps.values(), ...this.pairs.values()].map(({ coin, quote }) =>
      guessInstrument(coin, quote, this.decimals.decimals(coin)),
    )
  }
}

function split(symbol: string, market: string | undefined): Market {
  if (market === 'spot') return splitPair(symbol)
  const { coin, quote } = splitSymbol(symbol)
  return { coin, quote: quote || 'USDC' }
}

function contractIn({ szUnit, contract }: RecordMapping): ContractSize | null {
  if (szUnit === 'usd') return { size: '1', of: 'usd' }
  return szUnit === 'contract' ? readContractSize(String(contract)) : null
}

function factored(
  text: string | null,
  times: string | number | undefined,
  round: number | undefined,
): string | null {
  const plain = cellNumber(text ?? undefined)
  if (plain === null || (times === undefined && round === undefined)) return plain
  const factor = cellNumber(String(times ?? 1))
  if (factor === null || factor.startsWith('-'))
    throw new UserError(`is multiplied by ${times}, which is not a number above 0`)
  const minus = plain.startsWith('-') ? '-' : ''
  const [one, two] = [scaled(plain.slice(minus.length)), scaled(factor)]
  const product = { units: one.units * two.units, decimals: one.decimals + two.decimals }
  const { units, decimals } = round === undefined ? product : rounded(product, round)
  return `${minus}${decimalText(units, decimals)}`
}

function rounded({ units, decimals }: { units: bigint; decimals: number }, kept: number) {
  if (decimals <= kept) return { units, decimals }
  const step = 10n ** BigInt(decimals - kept)
  return { units: (units + step / 2n) / step, decimals: kept }
}
