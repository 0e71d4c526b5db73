/** Requests of a stream after a gap. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import { operationCall } from '../requests/request.ts'

export const HISTORY_CALLS = {
  info: operationCall('perpdex.info', 'POST /hl/info body'),
  klinesWithTakerVol: operationCall('perpdex.klinesWithTakerVol',
    'GET /hl/klines-with-taker-vol/:coin/:interval'),
}
