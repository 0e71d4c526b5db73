import type { InferInsertModel } from 'drizzle-orm'
import type { TapeMs } from '../../../clock/instant.ts'
import type { TableName } from '../../schema/statements.ts'
import type { schema } from '../../schema.ts'
import type { DerivedRows } from './derived-rows.ts'

/** A row as it is written. Casting knows tape time only, so its instants are plain numbers. */
export type TableRow<N extends TableName> = Untimed<Required<InferInsertModel<(typeof schema)[N]>>>

export type Untimed<T> = { [Name in keyof T]: AnyTime<T[Name]> }
type AnyTime<T> = T extends TapeMs ? number : T

/** Takes the rows of a world, in the order in which they are written. */
export interface RowSink {
  readonly counts: Readonly<Record<string, number>>
  /** Up to this instant all rows are final, and none is added; -Infinity where any may be. */
  readonly finalMs: number
  add<N extends TableName>(name: N, row: TableRow<N>): void
}

/** Takes the rows of a world that is cast from its beginning. */
export interface WorldSink extends RowSink {
  /** Makes the indexes, once most rows are there; later rows are indexed as they come. */
  createIndexes(): void
  /** Awaited now and then, so that the writer can keep up; undefined when it does. */
  drain(): Promise<void> | undefined
  /** Everything is in the file after this. */
  finish(): Promise<void> | void
  /** Has rows made of what is given and written; it is not changed by who gives it. */
  derive(order: DerivedRows): void
  /** Resolves when all so far is written, and counted. */
  settled(): Promise<void> | void
}
