import type { SecretRemover } from '../har/har-document.ts'
import type { EventDraft, Instrument } from '../tape-event.ts'
import type { ImportForm } from './forms.ts'
import type { Container, Sample } from './sample.ts'
import type { SeenTrades } from './trade-ids.ts'

/** A recorded form that can be made into a tape. */
export interface Importer {
  /** What `--from` calls it. */
  name: ImportForm | 'map'
  /**
   * `sequence`: files are one recording in the order given, read by one reader. `merged`: each
   * has a reader of its own, and what they tell is put in order by its time.
   */
  order: 'sequence' | 'merged'
  /** What files of it hold; absent where a mapping says what it is. */
  container?: Container
  /** True when the file that begins so is of this form. */
  recognises(sample: Sample): boolean
  /** True when trades are in a file of it that begins so. */
  tellsTrades?(sample: Sample): boolean
  createReader(options: ImportOptions): RecordingReader
}

export interface ImportOptions {
  /** Go on after a break in a chain of book changes, at the next full book. */
  resync: boolean
  /** What a coin is called where a file does not say it. */
  coin: string | null
  /** What a contract of a symbol is worth, by symbol or coin. */
  contracts: ReadonlyMap<string, ContractSize>
  /** Those of them that something was worth. */
  usedContracts: Set<string>
  /** Contracts that were not given and are known of their exchange, by symbol. */
  knownContracts: Map<string, ContractSize>
  /** Takes secrets out of documents that have them; null where none are imported. */
  secrets: SecretRemover | null
  /** True when trades are among the files: a liquidation waits for its own then. */
  hasTrades: boolean
  /** Trades that a mapped file had, of all files. */
  trades: SeenTrades
}

/** So many coins, or so many dollars, a contract. */
export interface ContractSize {
  size: string
  of: 'coin' | 'usd'
}

/** One recording being read, record by record. */
export interface RecordingReader {
  /** A file begins. Tables say what their columns mean, and are refused where some are missing. */
  begin?(file: Sample): void
  /**
   * The events of one line or row. Their `time` is the source's own: it may lie before the one of
   * the event before. What cannot be right is a `UserError` that need not name the line, `number`.
   */
  record(record: never, number: number): EventDraft[]
  /** The events that were still waiting when the recording ended. */
  end(): EventDraft[]
  /** The instruments seen, known for certain only at the end. */
  instruments(): Instrument[]
  /** What did not become events and why, with its number. */
  leftOut: ReadonlyMap<string, number>
}
