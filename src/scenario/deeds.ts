/** Everything that a rule can do, by name. */
import type { Deed } from './deed.ts'
import { ARRIVING } from './deeds/arriving.ts'
import { CONNECTING } from './deeds/connecting.ts'
import { DEPARTING } from './deeds/departing.ts'
import { EDITING } from './deeds/editing.ts'
import { PUSHING } from './deeds/pushing.ts'

export const DEEDS: ReadonlyMap<string, Deed> = new Map(
  [...ARRIVING, ...EDITING, ...DEPARTING, ...PUSHING, ...CONNECTING].map((one) => [one.name, one]),
)
