/** The contract: every operation and every channel, in the order of their lists. */
import type { Channel } from './channel.ts'
import { STREAMS } from './channels.ts'
import type { Operation } from './operation.ts'
import { CONTRACT } from './operations.ts'

export const OPERATIONS: readonly Operation[] = Object.values(CONTRACT).flatMap(
  (group: Record<string, Operation>) => Object.values(group),
)

export const CHANNELS: readonly Channel[] = Object.values(STREAMS)
