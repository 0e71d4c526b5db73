/** What is asked of an import, and what it tells. */
import type { SecretRemover } from './har/har-document.ts'
import type { BadRow } from './importers/bad-rows.ts'
import type { ContractSize } from './importers/importer.ts'
import type { Mapping } from './importers/mapping/mapping.ts'
import type { SourceOptions } from './sources/byte-source.ts'
import type { TapeHeader } from './tape-event.ts'

export interface ImportRequest extends SourceOptions {
  /** Name of the form; by default it is recognised, of each file by its beginning. */
  from?: string
  /** What is what in files of a form of one's own; instead of a form. */
  mapping?: Mapping
  /** Go on after a break in a chain of book changes, at the next full book. */
  resync?: boolean
  /** So many lines or rows that cannot be right are left out; one more ends the import. */
  tolerate?: number
  /** What the coin is called where a file does not say it. */
  coin?: string
  /** What contracts are worth, by symbol or coin. */
  contracts?: ReadonlyMap<string, ContractSize>
  /** Keeps what is done beside the tape when it is interrupted, and goes on from there. */
  resume?: boolean
  /** Takes secrets out of HAR documents, which cannot be imported without. */
  secrets?: SecretRemover
  onProgress?: (progress: ImportProgress) => void
  /** Ends the import, which leaves nothing then but parts that are kept. */
  signal?: AbortSignal
}

export interface ImportProgress {
  /** Lines and rows read, in tens of thousands. */
  lines: number
  /** Files that are begun, of how many. */
  begun: number
  files: number
}

export interface ImportReport {
  /** The forms of the files, each once. */
  forms: string[]
  header: TapeHeader
  files: number
  /** Lines and rows read. */
  lines: number
  /** What did not become events and why, with its number. */
  leftOut: ReadonlyMap<string, number>
  badRows: { count: number; told: readonly BadRow[] }
  /** Events that were moved by more than a minute, because others were told before them. */
  late: { count: number; mostMs: number }
  /** Books whose bids reach their asks, by coin, in the order in which they first did. */
  crossed: readonly CrossedBook[]
  /** Symbols and coins of which a contract was given, and which have no sizes in contracts. */
  unusedContracts: string[]
  /** What contracts of symbols were taken for that are known of their exchange. */
  knownContracts: ReadonlyMap<string, ContractSize>
}

/** A coin's book that was crossed: how often it became so, and how it was the first time. */
export interface CrossedBook {
  coin: string
  count: number
  firstMs: number
  bid: string
  ask: string
}
