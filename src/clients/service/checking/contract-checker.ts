/** Checks by the contract's schemas, as far as a program relies on them. */
import channels from '../contract/schemas/channels.json' with { type: 'json' }
import coin from '../contract/schemas/coin.json' with { type: 'json' }
import content from '../contract/schemas/content.json' with { type: 'json' }
import distributor from '../contract/schemas/distributor.json' with { type: 'json' }
import futures from '../contract/schemas/futures.json' with { type: 'json' }
import index from '../contract/schemas/index.json' with { type: 'json' }
import indicator from '../contract/schemas/indicator.json' with { type: 'json' }
import info from '../contract/schemas/info.json' with { type: 'json' }
import mix from '../contract/schemas/mix.json' with { type: 'json' }
import perpdex from '../contract/schemas/perpdex.json' with { type: 'json' }
import signal from '../contract/schemas/signal.json' with { type: 'json' }
import stock from '../contract/schemas/stock.json' with { type: 'json' }
import type { Checker } from './checker.ts'
import { SchemaChecker, type Schemas } from './schema-checker.ts'

/** A checker of all operations and channels of the contract. */
export const contractChecker = (): Checker => new SchemaChecker(SCHEMAS)

const SCHEMAS = {
  channels,
  coin,
  content,
  distributor,
  futures,
  index,
  indicator,
  info,
  mix,
  perpdex,
  signal,
  stock,
} as unknown as Schemas
