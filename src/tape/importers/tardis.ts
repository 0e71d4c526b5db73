import { UserError } from '../../user-error.ts'
import type { EventDraft, Instrument } from '../tape-event.ts'
import type { Importer, ImportOptions, RecordingReader } from './importer.ts'
import { LeftOut } from './left-out.ts'
import type { Sample } from './sample.ts'
import { TableColumns } from './table-columns.ts'
import type { TableRow } from './table-row.ts'
import { TABLE_KINDS, type TableKind } from './tardis-kinds.ts'
import { TardisMarkets } from './tardis-markets.ts'

/**
 * CSV in the form of tardis.dev, the same columns in Parquet, gzip or zstd: a file a day, kind and
 * symbol.
 *
 * Times are microseconds and events have that of the exchange; sizes are as the exchange has them.
 *
 * @see https://docs.tardis.dev/downloadable-csv-files/data-types
 */
export const tardis: Importer = {
  name: 'tardis',
  order: 'merged',
  container: 'table',
  recognises: (sample) => kindOf(sample) !== null,
  tellsTrades: (sample) => kindOf(sample)?.name === 'trades',
  createReader: (options) => new TardisReader(options),
}

const BASE = ['exchange', 'symbol', 'timestamp']

function kindOf(sample: Sample): TableKind | null {
  const { columns } = sample
  if (!BASE.every((name) => columns?.includes(name))) return null
  return TABLE_KINDS.find((kind) => kind.recognises(columns ?? [], sample.name)) ?? null
}

class TardisReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly markets: TardisMarkets
  private columns: TableColumns | null = null
  private rows: { row(row: TableRow): EventDraft[]; end(): EventDraft[] } | null = null

  constructor(private readonly options: ImportOptions) {
    this.markets = new TardisMarkets(options)
  }

  begin(file: Sample): void {
    const kind = kindOf(file)
    if (kind === null)
      throw new UserError(
        `has the columns ${(file.columns ?? []).join(', ')}, which are of none of ` +
          TABLE_KINDS.map(({ name }) => name).join(', '),
      )
    this.columns = new TableColumns(file, [...BASE, ...kind.needs])
    const { columns, markets, leftOut, options } = this
    this.rows = kind.open({ columns, markets, leftOut, options })
  }

  record(row: TableRow): EventDraft[] {
    this.columns?.check(row)
    return this.rows?.row(row) ?? []
  }

  end(): EventDraft[] {
    return this.rows?.end() ?? []
  }

  instruments(): Instrument[] {
    return this.markets.instruments()
  }
}
