/**
 * The perpetual venue's own API, as a sandbox with `profile: "raw"` serves it to native clients:
 * unsigned, without an envelope, at the root of its base URL.
 */
import type { Channel } from './channel.ts'
import { NODE_DIALECT, VENUE_DIALECT } from './dialect.ts'
import { CHANNELS } from './index.ts'
import type { Operation } from './operation.ts'
import { allMids } from './venue/all-mids.ts'
import { info } from './venue/info.ts'
import { orderUpdates } from './venue/order-updates.ts'

export const VENUE_OPERATIONS: readonly Operation[] = [info]

/** The channels that the service passes on, and those that it refuses. */
export const VENUE_CHANNELS: readonly Channel[] = [
  ...CHANNELS.filter(({ dialect }) => dialect === NODE_DIALECT).map((channel) => ({
    ...channel,
    dialect: VENUE_DIALECT,
    counted: false,
  })),
  allMids,
  orderUpdates,
]
