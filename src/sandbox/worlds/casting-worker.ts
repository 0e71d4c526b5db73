/** Casts a world, in a process or thread of its own, and has another thread write its rows. */

import { castFile, KEPT_EVENTS } from '../../market/casting/cast-file.ts'
import { openTape } from '../../tape/tape-reader.ts'
import { type HistoryOrder, recordedHistory } from './line-files.ts'
import { failureOf, lowerPriority, type ThreadFailure } from './thread-manners.ts'

/** What it is asked for, once. */
export interface CastingOrder {
  tapePath: string
  tapeDigest: string
  seed: string
  history: HistoryOrder
  /** A file that is not there yet, or, where it resumes, what an interrupted casting has left. */
  file: string
  resumes: boolean
  /** Whether others work meanwhile, whose answers go first. */
  inBackground: boolean
}

/** What it says: how many events are done, again and again, and at last how it ended. */
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
  // It ends with whoever asked for the world, who hears of an interrupt as well.
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
