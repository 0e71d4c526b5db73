/** Queries about the perpetual venue itself. */
import type { Meta, SpotMeta } from '../../records/meta.ts'
import type { Static } from '../../schema.ts'

export interface VenueFacts {
  /** Names of the dexes, the main one, which is empty, first. */
  dexNames(): readonly string[]
  /** Universe of a dex; null for an unknown dex. */
  meta(dex: string): Static<typeof Meta> | null
  /** Spot pairs and tokens. */
  spotMeta(): Static<typeof SpotMeta>
  /** Mid prices by coin. */
  allMids(dex: string): Record<string, string>
}
