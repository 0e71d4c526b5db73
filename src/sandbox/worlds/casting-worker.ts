/** The thread that casts a world: it reads the tape, grows the world and has its rows written. */
import { openTape } from '../../tape/tape-reader.ts'
import { castFile } from '../../world/casting/cast-file.ts'
import { type HistoryOrder, recordedHistory } from './history-files.ts'
import { failureOf, lowerPriority, type ThreadFailure } from './thread-manners.ts'

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
export type CastingReport = { events: number } | { completed: true } | ThreadFailure

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<CastingOrder>) => {
  if (data.inBackground) lowerPriority()
  cast(data).then(
    () => report({ completed: true }),
    (error) => report(failureOf(error)),
  )
}

const report = (to: CastingReport) => postMessage(to)

async function cast(order: CastingOrder): Promise<void> {
  const { tapePath, tapeDigest: digest, seed, file } = order
  const { header, events } = await openTape(tapePath)
  const history = await recordedHistory(order.history, header)
  await castFile({ header, digest, events }, seed, file, (events) => report({ events }), history)
}
