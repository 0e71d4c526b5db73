/** The thread that casts a world: it reads the tape, grows the world and has its rows written. */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'
import { openTape } from '../../tape/tape-reader.ts'
import { UserError } from '../../user-error.ts'
import { castFile } from '../../world/casting/cast-file.ts'
import { type HistoryOrder, recordedHistory } from './history-files.ts'

/** What it is asked for, once. */
export interface CastingOrder {
  tapePath: string
  tapeDigest: string
  seed: string
  history: HistoryOrder
  /** A file that is not there yet. */
  file: string
  /** Whether others work meanwhile, whose answers go first. */
  inBackground: boolean
}

/** What it says: how many events are done, again and again, and at last how it ended. */
export type CastingReport =
  | { events: number }
  | { completed: true }
  | { failed: string; isOurFault: boolean }

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<CastingOrder>) => {
  if (data.inBackground) lowerPriority()
  cast(data).then(
    () => report({ completed: true }),
    (error) => report(failureOf(error)),
  )
}

const report = (to: CastingReport) => postMessage(to)

/**
 * On Linux a thread has a priority of its own, which those that it starts inherit. Elsewhere it
 * stays as it is.
 */
function lowerPriority(): void {
  try {
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), LOW_PRIORITY)
  } catch {
    // What cannot be lowered is only felt by others, and nothing depends on it.
  }
}

const LOW_PRIORITY = 5

async function cast(order: CastingOrder): Promise<void> {
  const { tapePath, tapeDigest: digest, seed, file } = order
  const { header, events } = await openTape(tapePath)
  const history = await recordedHistory(order.history, header)
  await castFile({ header, digest, events }, seed, file, (events) => report({ events }), history)
}

function failureOf(error: unknown): CastingReport {
  if (error instanceof UserError) return { failed: error.message, isOurFault: false }
  const trace = error instanceof Error ? error.stack : String(error)
  return { failed: trace ?? String(error), isOurFault: true }
}
