import { har } from '../har/har-import.ts'
import { candles } from './candles.ts'
import { coinm } from './coinm.ts'
import type { Importer } from './importer.ts'
import { spot } from './spot.ts'
import { tardis } from './tardis.ts'
import { usdm } from './usdm.ts'
import { venueArchive } from './venue-archive.ts'
import { venueContexts } from './venue-contexts.ts'
import { venueNative } from './venue-native.ts'

/** Every form that can be imported; the first that recognises a file takes it. */
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
