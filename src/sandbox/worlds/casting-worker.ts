/** Casts a world in a process or thread of its own; another thread writes its rows. */

import { castFile, KEPT_EVENTS } from '../../market/casting/cast-file.ts'
import type { HistoryInput, RecordedHistory } from '../../market/casting/tape-input.ts'
import { removeOwnDrafts, writeSealedApart } from '../../market/world/world-file.ts'
import { lowerPriority } from '../../platform/thread-priority.ts'
import { UserError } from '../../platform/user-error.ts'
import { type HistoryName, readCandles } from '../../tape/candles/candle-file.ts'
import type { TapeHeader } from '../../tape/tape-event.ts'
import { openTape } from '../../tape/tape-reader.ts'
import type { HistoryOrder } from './casting-process.ts'
import { failureOf, type ThreadFailure } from './line-host.ts'

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

/** A report: the number of finished events, repeatedly; a line for people; at last the outcome. */
export type CastingReport =
  | { events: number }
  | { notice: string }
  | { completed: true }
  | ThreadFailure

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
  const reported = (events: number) => tell({ events, of })
  const keepEvery = resumes ? KEPT_EVENTS : 0
  await castFile({ header, digest, events }, seed, file, { report: reported, recorded, keepEvery })
}

/** Reads the files; a UserError for a coin that the tape does not have, or with two files. */
async function recordedHistory(
  { files, digest }: HistoryOrder,
  { instruments }: Pick<TapeHeader, 'instruments'>,
): Promise<RecordedHistory> {
  const coins = instruments.map(({ coin }) => coin)
  const histories = (await Promise.all(files.map((one) => historiesOf(one, coins)))).flat()
  for (const [at, { coin, file }] of histories.entries()) {
    const other = histories.findIndex((one) => one.coin === coin)
    if (other < at)
      throw new UserError(
        `${file}: candles of ${coin} are in ${histories[other]?.file} too: one file for each coin`,
      )
  }
  return { histories, digest }
}

async function historiesOf(
  { coin: named, file }: HistoryName,
  coins: readonly string[],
): Promise<HistoryInput[]> {
  const series = await readCandles(file)
  return series.map(({ coin: written, lengthMs, candles, missing }) => {
    const coin = coinOf(file, named, written, coins)
    if (missing > 0) report({ notice: missingText(file, coin, missing, candles.length) })
    return { coin, file, lengthMs, candles }
  })
}

const missingText = (file: string, coin: string, missing: number, count: number) =>
  `${file}: ${missing} of ${missing + count} intervals have no candle of ${coin}: there its ` +
  'price stands still and nothing is traded'

function coinOf(
  file: string,
  named: string | null,
  written: string | null,
  coins: readonly string[],
): string {
  if (named !== null && written !== null && named !== written)
    throw new UserError(`${file}: has candles of ${written}, and was named as those of ${named}`)
  const coin = named ?? written ?? (coins.length === 1 ? coins[0] : undefined)
  if (coin === undefined)
    throw new UserError(
      `${file}: does not say which coin its candles are of: name it, as --history ` +
        `${coins[0]}=${file}, or give it a column coin`,
    )
  if (coins.includes(coin)) return coin
  throw new UserError(`${file}: the tape has no ${coin}; it has ${coins.join(', ')}`)
}
