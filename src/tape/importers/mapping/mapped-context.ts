import type { LevelGroups } from '../level-groups.ts'
import type { Field, FieldAccess } from './field-access.ts'
import type { MappedNumbers } from './mapped-numbers.ts'
import type { RecordMapping } from './mapping.ts'

/** What records of one kind in one file are read with. */
export interface MappedContext {
  mapping: RecordMapping
  access: FieldAccess
  numbers: MappedNumbers
  groups: LevelGroups
  coin: Field
}
