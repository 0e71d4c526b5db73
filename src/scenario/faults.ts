/** All faults, by name. */
import type { Fault } from './fault.ts'
import { DATA_FAULTS } from './faults/data.ts'
import { PUSH_FAULTS } from './faults/push.ts'
import { REQUEST_FAULTS } from './faults/request.ts'
import { RESPONSE_FAULTS } from './faults/response.ts'
import { SOCKET_FAULTS } from './faults/socket.ts'

export const FAULTS: ReadonlyMap<string, Fault> = new Map(
  [...REQUEST_FAULTS, ...DATA_FAULTS, ...RESPONSE_FAULTS, ...PUSH_FAULTS, ...SOCKET_FAULTS].map(
    (one) => [one.name, one],
  ),
)
