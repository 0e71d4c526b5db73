/** A process that runs one load on a server on its parent's order. */
import { setPriority } from 'node:os'
import { CONTROL_LOADS } from './control-loads.ts'
import { GROWING_LOADS } from './growing-loads.ts'
import { type Load, LoadClient } from './load.ts'
import { PLAYING_LOADS } from './playing-loads.ts'
import { REPEATED_LOADS } from './repeated-loads.ts'
import { REQUEST_LOADS } from './request-loads.ts'

export const LOADS: readonly Load[] = [
  ...CONTROL_LOADS,
  ...PLAYING_LOADS,
  ...GROWING_LOADS,
  ...REQUEST_LOADS,
  ...REPEATED_LOADS,
]

/** The parent's orders; each is answered with `done` or an error. */
export type LoadOrder =
  | { order: 'prepare'; load: string; port: number; addresses: string[] }
  | { order: 'run' }

export interface LoadReport {
  failed: string | null
}

if (import.meta.main) {
  // With few processors the load would take the bystander's time, not only the server's.
  setPriority(10)
  let client: LoadClient | undefined
  let load: Load | undefined
  process.on('message', async (message: LoadOrder) => {
    let failed: string | null = null
    try {
      if (message.order === 'prepare') {
        load = LOADS.find((one) => one.name === message.load)
        client = new LoadClient(message.port, message.addresses, load?.status ?? 200)
        await load?.prepare?.(client)
      } else if (client) await load?.run(client)
    } catch (error) {
      failed = (error as Error).message
    }
    process.send?.({ failed } satisfies LoadReport)
  })
}
