/** Casts a world in a process or thread of its own; another thread writes its rows. */

import { castFile, KEPT_EVENTS } from '../../market/casting/cast-file.ts'
import { openTape } from '../../tape/tape-reader.ts'
import { type HistoryOrder, recordedHistory } from './line-files.ts'
import { failureOf, lowerPriority, type ThreadFailure } from './thread-priority.ts'

/** The order of a casting, sent once. */
export interface CastingOrder {
  tapePath: string
  tapeDigest: string
  seed: string
  history: HistoryOrder
  /** A new file, or, where it resumes, that of an interrupted casting. */
  file: string
  resumes: boolean
  /** Whether it runs beside other work, which has priority. */
  inBackground: boolean
}

/** A report: the number of finished events, repeatedly, and at last the outcome. */
export type CastingReport = { events: number } | { completed: true } | ThreadFailure

declare const self: Worker

const report = (to: CastingReport) => (Bun.isMainThread ? process.send?.(to) : postMessage(to))

const obey = (order: CastingOrder) => {
  if (order.inBackground) lowerPriority()
  cast(order).then(
    () => report({ completed: true }),
    (error) => report(failureOf(error)),
  )
}

if (Bun.isMainThread) {
  process.on('message', obey)
  // It ends with its parent process, which handles interrupts.
  process.on('disconnect', () => process.exit())
  process.on('SIGINT', () => {})
} else self.onmessage = ({ data }: MessageEvent<CastingOrder>) => obey(data)

async function cast(order: CastingOrder): Promise<void> {
  const { tapePath, tapeDigest: digest, seed, file, resumes } = order
  const { header, events } = await openTape(tapePath)
  const recorded = await recordedHistory(order.history, header)
  const tell = (events: number) => report({ events })
  const keepEvery = resumes ? KEPT_EVENTS : 0
  await castFile({ header, digest, events }, seed, file, { report: tell, recorded, keepEvery })
}
