import type { Importer } from './importer.ts'
import { usdm } from './usdm.ts'
import { venueNative } from './venue-native.ts'

/** Every form that can be imported; the first that recognises a frame takes the recording. */
export const IMPORTERS: readonly Importer[] = [venueNative, usdm]
