/** Casts a world in a process or thread of its own; another thread writes its rows. */

import { castFile, KEPT_EVENTS } from '../../market/casting/cast-file.ts'
import { removeOwnDrafts, writeSealedApart } from '../../market/world/world-file.ts'
import { openTape } from '../../tape/tape-reader.ts'
import { type HistoryOrder, recordedHistory } from './line-files.ts'
import { failureOf, lowerPriority, type ThreadFailure } from './thread-priority.ts'

/** The order of a casting, sent once. */
export interface CastingOrder {
  tapePath: string
  tapeDigest: string
  seed: string
  history: HistoryOrder
  /** A new file; where it resumes, that of an interrupted casting; apart, that of the world. */
  file: string
  resumes: boolean
  /** Whether the world is also sealed, and the casting goes on when the other process ends. */
  isApart: boolean
  /** Whether it runs beside other work, which has priority. */
  inBackground: boolean
}

/** A report: the number of finished events, repeatedly, and at last the outcome. */
export type CastingReport = { events: number } | { completed: true } | ThreadFailure

declare const self: Worker

const report = (to: CastingReport) => {
  if (!Bun.isMainThread) postMessage(to)
  else if (process.connected) process.send?.(to)
}

const obey = (order: CastingOrder) => {
  if (order.inBackground) lowerPriority()
  if (Bun.isMainThread) endWith(order)
  const work = order.isApart ? castApart(order) : cast(order, report)
  work
    .then(
      () => report({ completed: true }),
      (error) => report(failureOf(error)),
    )
    // Otherwise it would wait for messages.
    .finally(() => Bun.isMainThread && process.connected && process.disconnect?.())
}

/** Apart, it ends by itself, or by an interrupt at the terminal. */
function endWith({ isApart, file }: CastingOrder): void {
  if (!isApart) {
    // The parent process handles interrupts.
    process.on('SIGINT', () => {})
    process.on('disconnect', () => process.exit())
    return
  }
  process.on('SIGINT', () => {
    removeOwnDrafts(file)
    process.exit(INTERRUPTED)
  })
}

const INTERRUPTED = 130

if (Bun.isMainThread) process.on('message', obey)
else self.onmessage = ({ data }: MessageEvent<CastingOrder>) => obey(data)

function castApart(order: CastingOrder): Promise<void> {
  return writeSealedApart(order.file, (draft, tell) =>
    cast({ ...order, file: draft }, (progress) => {
      tell({ done: progress.events, of: progress.of })
      report(progress)
    }),
  )
}

/** A report of finished events, of all. */
interface Progress {
  events: number
  of: number
}

async function cast(order: CastingOrder, tell: (progress: Progress) => void): Promise<void> {
  const { tapePath, tapeDigest: digest, seed, file, resumes } = order
  const { header, events } = await openTape(tapePath)
  const recorded = await recordedHistory(order.history, header)
  const of = Object.values(header.counts).reduce((sum, count) => sum + count, 0)
  const told = (events: number) => tell({ events, of })
  const keepEvery = resumes ? KEPT_EVENTS : 0
  await castFile({ header, digest, events }, seed, file, { report: told, recorded, keepEvery })
}
