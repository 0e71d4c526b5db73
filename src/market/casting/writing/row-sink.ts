import type { InferInsertModel } from 'drizzle-orm'
import type { TapeMs } from '../../../clock/instant.ts'
import type { schema } from '../../schema/schema.ts'
import type { TableName } from '../../schema/statements.ts'

/** A row in its written form. Casting uses tape time only, so its instants are plain numbers. */
export type TableRow<N extends TableName> = Untimed<Required<InferInsertModel<(typeof schema)[N]>>>

export type Untimed<T> = { [Name in keyof T]: AnyTime<T[Name]> }
type AnyTime<T> = T extends TapeMs ? number : T

/** Takes the rows of a world in the order of writing. */
export interface RowSink {
  readonly counts: Readonly<Record<string, number>>
  /** Up to this instant all rows are final and none is added; -Infinity while any may be. */
  readonly finalMs: number
  add<N extends TableName>(name: N, row: TableRow<N>): void
}
