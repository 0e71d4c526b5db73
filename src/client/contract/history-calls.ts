/** What a stream asks after a gap. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { OperationCall } from '../requests/operation-call.ts'

export const HISTORY_CALLS: Record<'info' | 'klinesWithTakerVol', OperationCall> = {
  info: { id: 'perpdex.info', method: 'POST',
      path: '/hl/info', hasBody: true },
  klinesWithTakerVol: { id: 'perpdex.klinesWithTakerVol', method: 'GET',
      path: '/hl/klines-with-taker-vol/:coin/:interval' },
}
