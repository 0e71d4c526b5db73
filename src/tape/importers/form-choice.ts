import { unknownText } from '../../contract/fields/nearest-name.ts'
import { UserError } from '../../platform/user-error.ts'
import { type EventDraft, FORMAT, type Instrument, type Level, type Side } from '../tape-event.ts'
import { LeftOut } from './bad-rows.ts'
import { readTimeMs, type TimeUnit } from './csv-cells.ts'
import { LevelGroups } from './draft-stream.ts'
import type { Importer, ImportOptions, RecordingReader } from './importer.ts'
import { IMPORTERS } from './index.ts'
import type { MappedKind, Mapping, RecordMapping, SideMapping } from './mapping/mapping.ts'
import {
  type Field,
  type FieldAccess,
  fieldAccess,
  MappedNumbers,
  type MappedRecord,
  pathOf,
  textOf,
  valueAt,
} from './mapping/mapping-suggestion.ts'
import type { RecordedLine } from './recorded-line.ts'
import { GREETED, isGreeting } from './recorded-line.ts'
import type { RecordingFile } from './recording-file.ts'
import { type Sample, sampleText } from './sample.ts'
import type { TableRow } from './table-row.ts'
import { REPEATED, type SeenTrades, tradeNumber } from './trade-ids.ts'
import { hourlyRate } from './venue-contexts.ts'

/** A file of an unknown form. */
export class UnknownForm extends UserError {
  override name = 'UnknownForm'

  constructor(readonly sample: Sample) {
    super(
      `${sample.name}: line 1 is of no form that is known: ${sampleText(sample)}; name one with ` +
        '--from, or say what is what with --map',
    )
  }
}

/** A file and its form. */
export interface RecognisedFile {
  file: RecordingFile
  importer: Importer
}

/** The given form, or that of each file; incompatible forms are refused. */
export function recognise(
  files: readonly RecordingFile[],
  { from, mapping }: { from?: string; mapping?: Mapping },
): RecognisedFile[] {
  const named = from === undefined ? null : importerNamed(from)
  const mapped = mapping === undefined ? null : mappedImporter(mapping)
  const found = files.map((file) => {
    if (mapped === null) return { file, importer: named ?? importerOf(file.sample) }
    if (mapped.recognises(file.sample)) return { file, importer: mapped }
    throw new UserError(`${file.source.name}: the mapping has no record for this file`)
  })
  const [first] = found
  const other = found.find(
    ({ importer }) =>
      importer !== first?.importer &&
      (importer.order === 'sequence' || first?.importer.order === 'sequence'),
  )
  if (!first || !other) return found
  const [one, two] = [first, other].map(
    ({ file, importer }) => `${file.source.name} is ${importer.name}`,
  )
  throw new UserError(`${one}, ${two}: import them separately and combine them with tape merge`)
}

/** The importer of a form's name. */
export function importerNamed(from: string): Importer {
  const named = IMPORTERS.find(({ name }) => name === from)
  if (named) return named
  throw new UserError(
    unknownText(
      'form',
      from,
      IMPORTERS.map(({ name }) => name),
    ),
  )
}

function importerOf(sample: Sample): Importer {
  const found = IMPORTERS.find((importer) => importer.recognises(sample))
  if (found) return found
  if (sample.record?.format === FORMAT)
    throw new UserError(`${sample.name}: is already a tape: use tape cut or tape merge`)
  throw new UnknownForm(sample)
}

/** The form of a mapping: files with one of its records. */
function mappedImporter(mapping: Mapping): Importer {
  const recordsOf = ({ base }: Sample) => mapping.records.filter((one) => isFor(one, base))
  return {
    name: 'map',
    order: 'merged',
    recognises: (sample) => sample.container !== 'har' && recordsOf(sample).length > 0,
    tellsTrades: (sample) => recordsOf(sample).some(({ kind }) => kind === 'trade'),
    createReader: (options) => new MappedReader(recordsOf, options),
  }
}

const isFor = ({ files }: RecordMapping, base: string): boolean =>
  files === undefined || new Bun.Glob(String(files)).match(base)

interface OpenRecord {
  /** The records in a line or row. */
  items(record: MappedRecord): readonly MappedRecord[]
  matches(record: MappedRecord): boolean
  drafts: MappedDrafts
}

class MappedReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly numbers = new MappedNumbers(this.leftOut)
  private readonly groups = new LevelGroups(this.leftOut)
  private records: OpenRecord[] = []
  private isTable = false

  constructor(
    private readonly recordsOf: (file: Sample) => RecordMapping[],
    private readonly options: ImportOptions,
  ) {}

  begin(file: Sample): void {
    this.isTable = file.container === 'table'
    const access = fieldAccess(file)
    this.records = this.recordsOf(file).map((mapping) => ({
      items: itemsOf(mapping),
      matches: whereOf(mapping, access),
      drafts: openKind({
        mapping,
        access,
        numbers: this.numbers,
        groups: this.groups,
        trades: this.options.trades,
        leftOut: this.leftOut,
        coin: this.coinOf(mapping, access),
      }),
    }))
  }

  record(record: RecordedLine | TableRow): EventDraft[] {
    if (typeof record === 'string' && record.trim() === '') return []
    if (typeof record === 'string' && isGreeting(record)) {
      this.leftOut.count(GREETED)
      return []
    }
    const read = this.isTable ? (record as TableRow) : objectIn(record as RecordedLine)
    let isFound = false
    const all = this.records.flatMap(({ items, matches, drafts }) => {
      const found = items(read).filter(matches)
      isFound ||= found.length > 0
      return found.flatMap(drafts)
    })
    if (!isFound) this.leftOut.count('record without a place in the mapping')
    return all
  }

  end(): EventDraft[] {
    return this.groups.end()
  }

  instruments(): Instrument[] {
    return this.numbers.instruments()
  }

  private coinOf(mapping: RecordMapping, access: FieldAccess): Field {
    if (mapping.coin !== undefined) return access.field(mapping.coin)
    const named = mapping.coinName ?? this.options.coin
    if (named === null)
      throw new UserError('names no coin: give coin or coinName in the mapping, or --coin')
    return () => String(named)
  }
}

/** A record without the list of `each` has no items. */
function itemsOf({ each }: RecordMapping): OpenRecord['items'] {
  if (each === undefined) return (record) => [record]
  const path = pathOf(each)
  return (record) => {
    const list = valueAt(record, path)
    if (!Array.isArray(list)) return []
    return list.map((item: object): MappedRecord => ({ ...record, ...item }))
  }
}

function whereOf({ where = {} }: RecordMapping, access: FieldAccess) {
  const wanted = Object.entries(where).map(
    ([name, value]) => [access.field(name), String(value)] as const,
  )
  return (record: MappedRecord) => wanted.every(([field, value]) => field(record) === value)
}

function objectIn(line: RecordedLine): MappedRecord {
  if (typeof line !== 'string') return line.value
  const start = line.indexOf('{')
  let value: unknown
  try {
    // A clock may precede it.
    value = JSON.parse(start > 0 ? line.slice(start) : line)
  } catch {
    throw new UserError('is not whole JSON')
  }
  if (typeof value === 'object' && value !== null) return value as MappedRecord
  throw new UserError('is no JSON object')
}

/** The events of a record. */
type MappedDrafts = (record: MappedRecord) => EventDraft[]

/** Reads records by the mapping; unknown fields are refused at once. */
function openKind(context: MappedContext): MappedDrafts {
  const { mapping, access, numbers, coin } = context
  const time = access.field(mapping.time ?? '')
  const unit = (mapping.timeUnit ?? 'auto') as TimeUnit
  const timeOf = (record: MappedRecord): number => {
    try {
      return readTimeMs(time(record) ?? '', unit)
    } catch (error) {
      throw inField(error, mapping.time)
    }
  }
  const draftsOf = KINDS[mapping.kind](context)
  return (record) => {
    const symbol = coin(record)
    if (symbol === null) throw new UserError('names no coin')
    return draftsOf(record, numbers.coin(symbol, mapping), timeOf(record))
  }
}

/** What a field is refused for, with its name. */
function inField(error: unknown, field: string | number = ''): unknown {
  return error instanceof UserError ? new UserError(`in ${field} ${error.message}`) : error
}

type Drafts = (record: MappedRecord, coin: string, time: number) => EventDraft[]

const KINDS: Record<MappedKind, (context: MappedContext) => Drafts> = {
  trade(context) {
    const { mapping, access, trades, leftOut } = context
    const [level, side] = [levelOf(context), takerOf(context)]
    const id = mapping.tid === undefined ? null : access.field(mapping.tid)
    return (record, coin, time) => {
      const { px, sz } = level(record, coin)
      const tid = tradeNumber(id?.(record) ?? '', leftOut)
      if (tid !== undefined && trades.of(coin).hasSeen(tid)) {
        leftOut.count(REPEATED)
        return []
      }
      const numbered = tid === undefined ? {} : { tid }
      return [
        { time, kind: 'trade', coin, data: { side: side(record, coin, px), px, sz, ...numbered } },
      ]
    }
  },
  liquidation(context) {
    const [level, side] = [levelOf(context), sideOf(context)]
    return (record, coin, time) => {
      const { px, sz } = level(record, coin)
      const position = side(record) === 'A' ? 'long' : 'short'
      return [{ time, kind: 'liquidation', coin, data: { position, sz, markPx: px, tids: [] } }]
    }
  },
  level(context) {
    const { mapping, access, groups } = context
    const [level, side] = [levelOf(context), sideOf(context)]
    const snapshot = mapping.snapshot === undefined ? null : access.field(mapping.snapshot)
    const message = access.field(mapping.message ?? mapping.time ?? '')
    return (record, coin, time) => {
      const { px, sz } = level(record, coin)
      return groups.put({
        coin,
        time,
        message: message(record) ?? '',
        // Without such a column, every message is a full book.
        isWhole: snapshot === null,
        isSnapshot:
          snapshot === null || /^(?:true|1|snap|snapshot|t|yes)$/i.test(snapshot(record) ?? ''),
        side: side(record) === 'B' ? 'bid' : 'ask',
        level: [px, sz, sz === '0' ? 0 : 1],
      })
    }
  },
  book: (context) => sides(context, 'book'),
  delta: (context) => sides(context, 'delta'),
  bbo(context) {
    const { mapping, numbers, access } = context
    const best = (pxName: string | number = '', szName: string | number = '') => {
      const [px, sz] = [access.field(pxName), access.field(szName)]
      return (record: MappedRecord, coin: string): Level | null => {
        const written = px(record)
        if (written === null) return null
        let field = pxName
        try {
          const price = numbers.px(coin, written, mapping)
          field = szName
          const size = numbers.sz(coin, sz(record), price, mapping)
          return size === '0' ? null : [price, size, 1]
        } catch (error) {
          throw inField(error, field)
        }
      }
    }
    const [bid, ask] = [best(mapping.bidPx, mapping.bidSz), best(mapping.askPx, mapping.askSz)]
    return (record, coin, time) => [
      { time, kind: 'bbo', coin, data: { bid: bid(record, coin), ask: ask(record, coin) } },
    ]
  },
  mark(context) {
    const [mark, oracle] = [numberOf(context, 'mark'), numberOf(context, 'oracle')]
    return (record, coin, time) => {
      const data = { mark: needed(mark(record), 'mark'), oracle: needed(oracle(record), 'oracle') }
      return [{ time, kind: 'mark', coin, data }]
    }
  },
  funding(context) {
    const { rateHours = 1, premium: named } = context.mapping
    const rate = numberOf(context, 'rate')
    const premium = named === undefined ? () => null : numberOf(context, 'premium')
    return (record, coin, time) => {
      const reported = premium(record)
      const hourly = hourlyRate(needed(rate(record), 'rate'), rateHours)
      const data = reported === null ? { rate: hourly } : { rate: hourly, premium: reported }
      return [{ time, kind: 'funding', coin, data }]
    }
  },
  interest(context) {
    const openInterest = numberOf(context, 'openInterest')
    return (record, coin, time) => {
      const data = { openInterest: needed(openInterest(record), 'openInterest') }
      return [{ time, kind: 'interest', coin, data }]
    }
  },
}

function sides(context: MappedContext, kind: 'book' | 'delta'): Drafts {
  const bids = sideLevels(context, 'bids', kind === 'delta')
  const asks = sideLevels(context, 'asks', kind === 'delta')
  return (record, coin, time) => [
    { time, kind, coin, data: { bids: bids(record, coin), asks: asks(record, coin) } },
  ]
}

function levelOf({ mapping, access, numbers }: MappedContext) {
  const [px, sz] = [access.field(mapping.px ?? ''), access.field(mapping.sz ?? '')]
  return (record: MappedRecord, coin: string) => {
    let field = mapping.px
    try {
      const price = numbers.px(coin, px(record), mapping)
      field = mapping.sz
      const size = sz(record)
      const unsigned = isSigned(mapping) ? (size?.replace(/^[+-]/, '') ?? null) : size
      return { px: price, sz: numbers.sz(coin, unsigned, price, mapping) }
    } catch (error) {
      throw inField(error, field)
    }
  }
}

function numberOf({ mapping, access, numbers }: MappedContext, name: keyof RecordMapping) {
  const field = access.field(mapping[name] as string | number)
  return (record: MappedRecord) => {
    try {
      return numbers.number(field(record), mapping.round)
    } catch (error) {
      throw inField(error, mapping[name] as string | number)
    }
  }
}

const BUY = ['buy', 'b', 'bid', 'bids', 'long']
const SELL = ['sell', 's', 'a', 'ask', 'asks', 'short']

const wordsOf = (words: ReadonlySet<string>): string => [...words].join(', ')

/** Whether the sign of a size is its side. */
const isSigned = ({ side, sz }: RecordMapping): boolean => side !== undefined && side === sz

function sideOf({ mapping, access }: MappedContext): (record: MappedRecord) => Side {
  const field = access.field(mapping.side ?? '')
  if (isSigned(mapping)) return (record) => (field(record)?.startsWith('-') ? 'A' : 'B')
  const [buy, sell] = [mapping.buy ?? BUY, mapping.sell ?? SELL].map(
    (words) => new Set(words.map((word) => String(word).toLowerCase())),
  ) as [Set<string>, Set<string>]
  // Where only one side is named, the first other value is the other side.
  let unnamed: Set<string> | null = null
  if (mapping.buy === undefined && mapping.sell !== undefined) unnamed = buy
  if (mapping.buy !== undefined && mapping.sell === undefined) unnamed = sell
  return (record) => {
    const sideText = field(record)?.toLowerCase() ?? ''
    const isNamed = unnamed === buy ? sell.has(sideText) : buy.has(sideText)
    if (unnamed !== null && sideText !== '' && !isNamed) {
      if (!unnamed.has(sideText)) unnamed.clear()
      unnamed.add(sideText)
      unnamed = null
    }
    if (buy.has(sideText)) return 'B'
    if (sell.has(sideText)) return 'A'
    throw new UserError(
      `has side "${sideText.slice(0, 40)}"; buy is ${wordsOf(buy)}, sell ${wordsOf(sell)}`,
    )
  }
}

type Taker = (record: MappedRecord, coin: string, px: string) => Side

/** Without a column of the taker's side, an uptick counts as a buy. */
function takerOf(context: MappedContext): Taker {
  if (context.mapping.side !== undefined) return sideOf(context)
  const last = new Map<string, { px: number; side: Side }>()
  return (_, coin, px) => {
    const [before, price] = [last.get(coin), Number(px)]
    const moved: Side = price > (before?.px ?? 0) ? 'B' : 'A'
    const side = price === before?.px ? before.side : moved
    last.set(coin, { px: price, side })
    return side
  }
}

function needed(text: string | null, name: string): string {
  if (text !== null) return text
  throw new UserError(`has no ${name}`)
}

type Levels = (record: MappedRecord, coin: string) => Level[]
/** One level as written. */
type Written = readonly [px: string | null, sz: string | null, orders: string | null]

/** Exceeds the columns of a book's side in any file. */
const LEVELS_MAX = 5_000

/**
 * Reads one side of a book, from the best: from columns with a number in their names, or from a
 * list. Levels without a price are skipped, and in a full book those of size 0.
 */
function sideLevels(
  context: Pick<MappedContext, 'mapping' | 'access' | 'numbers'>,
  side: 'bids' | 'asks',
  changes: boolean,
): Levels {
  const { mapping, numbers } = context
  const written = writtenLevels(context, mapping[side] ?? {}, side)
  const direction = side === 'bids' ? -1 : 1
  return (record, coin) => {
    const levels = new Map<string, Level>()
    for (const [pxText, szText, orders] of written(record)) {
      if (pxText === null) continue
      const px = numbers.px(coin, pxText, mapping)
      const sz = numbers.sz(coin, szText, px, mapping)
      const count = orders !== null && /^\d{1,9}$/.test(orders) ? Number(orders) : 1
      if (sz !== '0') levels.set(px, [px, sz, count])
      else if (changes) levels.set(px, [px, sz, 0])
    }
    return [...levels.values()].sort(([a], [b]) => direction * (Number(a) - Number(b)))
  }
}

function writtenLevels(
  { access }: Pick<MappedContext, 'access'>,
  { list, px, sz, orders, from }: SideMapping,
  side: string,
): (record: MappedRecord) => readonly Written[] {
  if (px === undefined || sz === undefined)
    throw new UserError(`has ${side} of which the mapping does not say px and sz`)
  if (list !== undefined) {
    const levels = access.list(list)
    const paths = [px, sz, orders ?? ''].map(pathOf)
    const reported = (level: unknown): Written =>
      paths.map((path) => textOf(valueAt(level, path))) as unknown as Written
    return (record) => levels(record).map(reported)
  }
  const columns: (readonly [Field, Field, Field])[] = []
  const named = (pattern: string | number, n: number) => String(pattern).replaceAll('{n}', `${n}`)
  const start = from ?? (access.has(named(px, 0)) ? 0 : 1)
  for (let n = start; n < start + LEVELS_MAX && access.has(named(px, n)); n++) {
    const count = orders === undefined ? () => null : access.field(named(orders, n))
    columns.push([access.field(named(px, n)), access.field(named(sz, n)), count])
    if (!String(px).includes('{n}')) break
  }
  // Reports the existing columns.
  if (columns.length === 0) access.field(named(px, start))
  return (record) => columns.map(([one, two, three]) => [one(record), two(record), three(record)])
}

/** Context of one kind's records in one file. */
interface MappedContext {
  mapping: RecordMapping
  access: FieldAccess
  numbers: MappedNumbers
  groups: LevelGroups
  /** Trades so far. */
  trades: SeenTrades
  leftOut: LeftOut
  coin: Field
}
