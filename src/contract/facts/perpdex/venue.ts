/** Questions about the perpetual venue itself. */
import type { Meta, SpotMeta } from '../../records/meta.ts'
import type { Static } from '../../schema.ts'

export interface VenueFacts {
  /** Names of the dexes, the main one, which is empty, first. */
  dexNames(): readonly string[]
  /** Universe of a dex (shapes 2.1); null for an unknown dex. */
  meta(dex: string): Static<typeof Meta> | null
  /** shapes 2.2 */
  spotMeta(): Static<typeof SpotMeta>
  /** Mid prices by coin (shapes 2.18). */
  allMids(dex: string): Record<string, string>
}
