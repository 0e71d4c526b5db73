import { UserError } from '../../../user-error.ts'
import type { EventDraft, Instrument } from '../../tape-event.ts'
import type { Importer, ImportOptions, RecordingReader } from '../importer.ts'
import { LeftOut } from '../left-out.ts'
import { LevelGroups } from '../level-groups.ts'
import type { RecordedLine } from '../recorded-line.ts'
import type { Sample } from '../sample.ts'
import type { TableRow } from '../table-row.ts'
import { type Field, type FieldAccess, fieldAccess, type MappedRecord } from './field-access.ts'
import { type MappedDrafts, openKind } from './mapped-kinds.ts'
import { MappedNumbers } from './mapped-numbers.ts'
import type { Mapping, RecordMapping } from './mapping.ts'

/** The form that a mapping describes: files of which it has a record. */
export function mappedImporter(mapping: Mapping): Importer {
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
  matches(record: MappedRecord): boolean
  drafts: MappedDrafts
}

class MappedReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly numbers = new MappedNumbers()
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
      matches: whereOf(mapping, access),
      drafts: openKind({
        mapping,
        access,
        numbers: this.numbers,
        groups: this.groups,
        coin: this.coinOf(mapping, access),
      }),
    }))
  }

  record(record: RecordedLine | TableRow): EventDraft[] {
    if (typeof record === 'string' && record.trim() === '') return []
    const read = this.isTable ? (record as TableRow) : objectIn(record as RecordedLine)
    const found = this.records.filter(({ matches }) => matches(read))
    if (found.length === 0) this.leftOut.count('record that the mapping has no place for')
    return found.flatMap(({ drafts }) => drafts(read))
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
    // A clock may stand before it.
    value = JSON.parse(start > 0 ? line.slice(start) : line)
  } catch {
    throw new UserError('is not whole JSON')
  }
  if (typeof value === 'object' && value !== null) return value as MappedRecord
  throw new UserError('is no JSON object')
}
