/** The complete client: every operation, and checked pushes. */
import { contractChecker } from './checking/contract-checker.ts'
import { coin } from './contract/coin.ts'
import { content } from './contract/content.ts'
import { distributor } from './contract/distributor.ts'
import { futures } from './contract/futures.ts'
import { index } from './contract/index.ts'
import { indicator } from './contract/indicator.ts'
import { mix } from './contract/mix.ts'
import { perpdex } from './contract/perpdex.ts'
import { signal } from './contract/signal.ts'
import { stock } from './contract/stock.ts'
import { type ClientOf, clientOf } from './lean-client.ts'
import type { ClientSettings } from './settings.ts'

const GROUPS = {
  coin,
  content,
  distributor,
  futures,
  index,
  indicator,
  mix,
  perpdex,
  signal,
  stock,
}

/** One function for each operation, `client.perpdex.fillsOfAddress({path, query, body})`. */
export interface Client extends ClientOf<typeof GROUPS> {}

/** Creates a client of one key. */
export const client = (settings: ClientSettings): Client =>
  clientOf(GROUPS, { checker: contractChecker(), ...settings })
