import { har } from '../har/har-import.ts'
import { candles } from './candles.ts'
import type { Importer } from './importer.ts'
import { coinm, spot, usdm } from './raw-stream.ts'
import { tardis } from './tardis.ts'
import { venueArchive } from './venue-archive.ts'
import { venueContexts } from './venue-contexts.ts'
import { venueNative } from './venue-native.ts'

/** All importable forms; the first that matches a file takes it. */
export const IMPORTERS: readonly Importer[] = [
  venueArchive,
  venueNative,
  coinm,
  spot,
  usdm,
  venueContexts,
  tardis,
  candles,
  har,
]
