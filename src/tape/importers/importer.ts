import type { SecretRemover } from '../har/har-import.ts'
import type { EventDraft, Instrument } from '../tape-event.ts'
import type { Container, Sample } from './sample.ts'
import type { SeenTrades } from './trade-ids.ts'

/** An importable form of a recording. */
export interface Importer {
  /** Its name for `--from`. */
  name: ImportForm | 'map'
  /**
   * `sequence`: files are one recording in the order given, read by one reader. `merged`: each has
   * a reader of its own, and their events are merged by time.
   */
  order: 'sequence' | 'merged'
  /** Content type of its files; absent where a mapping defines it. */
  container?: Container
  /** Whether a file with this beginning has the form. */
  recognises(sample: Sample): boolean
  /** Whether a file with this beginning contains trades. */
  tellsTrades?(sample: Sample): boolean
  createReader(options: ImportOptions): RecordingReader
}

export interface ImportOptions {
  /** Continue after a break in a chain of book changes, at the next full book. */
  resync: boolean
  /** Name of the coin where a file has none. */
  coin: string | null
  /** Contract sizes, by symbol or coin. */
  contracts: ReadonlyMap<string, ContractSize>
  /** Those used by a record. */
  usedContracts: Set<string>
  /** Contract sizes known for the exchange instead of given, by symbol. */
  knownContracts: Map<string, ContractSize>
  /** Removes secrets from documents; null where none are imported. */
  secrets: SecretRemover | null
  /** True when trades are among the files: liquidations then wait for theirs. */
  hasTrades: boolean
  /** Trades of all tables and mapped files. */
  trades: SeenTrades
}

/** Coins, or dollars, per contract. */
export interface ContractSize {
  size: string
  of: 'coin' | 'usd'
}

/** A recording being read, record by record. */
export interface RecordingReader {
  /** Begins a file. Checks a table's columns. */
  begin?(file: Sample): void
  /**
   * The events of one line or row. Their `time` is the source's own, and may be before the previous
   * event's. An invalid record is a `UserError` that need not name the line, `number`.
   */
  record(record: never, number: number): EventDraft[]
  /** Events still pending at the end of the recording. */
  end(): EventDraft[]
  /** The instruments seen, final only at the end. */
  instruments(): Instrument[]
  /** Skipped records by reason, with their number. */
  leftOut: ReadonlyMap<string, number>
}

/** Importable forms of recordings, with descriptions. */
export const IMPORT_FORMS = {
  'venue-native': "the perpetual venue's socket frames (l2Book, trades, bbo, activeAssetCtx)",
  'venue-archive': "the perpetual venue's archive (hourly l2Book, node trades, node fills)",
  'venue-contexts': "the perpetual venue's archive of asset contexts, CSV",
  usdm: 'a futures raw stream (depth snapshot, depthUpdate, trade, bookTicker)',
  coinm: 'the same of contracts that are settled in coins',
  spot: 'a spot raw stream, books chained by U and u',
  tardis:
    'CSV or Parquet of trades, incremental_book_L2, book_snapshot_N, quotes, derivative_ticker ' +
    'or liquidations',
  har: 'HAR documents with WebSocket messages, which become a recording',
  candles: 'candles, CSV or Parquet: four trades for each',
} as const

type ImportForm = keyof typeof IMPORT_FORMS
