/** A process in which one door is fuzzed: it may hang or end, and its parent notices. */
import { attempt, type Failure, retry } from './attempt.ts'
import type { OpenDoor } from './door.ts'
import { DOORS } from './doors.ts'

export type DoorOrder =
  | { order: 'attempt'; door: string; seed: number; runs: number }
  | { order: 'retry'; door: string; script: unknown }

export type DoorReport =
  | { report: 'script'; script: unknown }
  | { report: 'done'; failure: Failure | null }
  | { report: 'retried'; message: string | null }

let open: OpenDoor | undefined

process.on('message', async (message: DoorOrder) => {
  open ??= await DOORS.find(({ name }) => name === message.door)?.open()
  if (!open) throw new Error(`there is no door "${message.door}"`)
  if (message.order === 'retry')
    return tell({ report: 'retried', message: await retry(open, message.script) })
  const { door, seed, runs } = message
  const onScript = (script: unknown) => tell({ report: 'script', script })
  tell({ report: 'done', failure: await attempt(door, open, { seed, runs, onScript }) })
})

function tell(report: DoorReport): void {
  process.send?.(report)
}
