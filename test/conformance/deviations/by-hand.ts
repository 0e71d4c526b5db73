/** Handwritten deviations, each with its case. */
import { AUTHENTICATION_DEVIATIONS } from './by-hand/authentication.ts'
import { COIN_DEVIATIONS } from './by-hand/coin.ts'
import { CONTENT_DEVIATIONS } from './by-hand/content.ts'
import { DISTRIBUTOR_DEVIATIONS } from './by-hand/distributor.ts'
import { ENVELOPES_DEVIATIONS } from './by-hand/envelopes.ts'
import { ERRORS_DEVIATIONS } from './by-hand/errors.ts'
import { FUTURES_DEVIATIONS } from './by-hand/futures.ts'
import { INDEX_DEVIATIONS } from './by-hand/index.ts'
import { INDICATOR_DEVIATIONS } from './by-hand/indicator.ts'
import { LIMIT_DEVIATIONS } from './by-hand/limits.ts'
import { MIX_DEVIATIONS } from './by-hand/mix.ts'
import { PERPDEX_DEVIATIONS } from './by-hand/perpdex.ts'
import { PUSH_DEVIATIONS } from './by-hand/pushes.ts'
import { SIGNAL_DEVIATIONS } from './by-hand/signal.ts'
import { SOCKET_DEVIATIONS } from './by-hand/sockets.ts'
import { STOCK_DEVIATIONS } from './by-hand/stock.ts'
import type { Deviation } from './deviation.ts'

export const WRITTEN_DEVIATIONS: readonly Deviation[] = [
  ...[...AUTHENTICATION_DEVIATIONS, ...ENVELOPES_DEVIATIONS, ...ERRORS_DEVIATIONS],
  ...[...LIMIT_DEVIATIONS, ...DISTRIBUTOR_DEVIATIONS, ...STOCK_DEVIATIONS],
  ...[...FUTURES_DEVIATIONS, ...INDEX_DEVIATIONS, ...COIN_DEVIATIONS],
  ...[...MIX_DEVIATIONS, ...SIGNAL_DEVIATIONS, ...CONTENT_DEVIATIONS],
  ...[...INDICATOR_DEVIATIONS, ...PERPDEX_DEVIATIONS, ...SOCKET_DEVIATIONS],
  ...[...PUSH_DEVIATIONS],
]
