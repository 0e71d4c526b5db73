/** Files of lines: their names, who has them, and which of them go when there are too many. */

import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { TapeMs } from '../../clock/instant.ts'
import type { HistoryInput, RecordedHistory } from '../../market/casting/history-input.ts'
import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import { GROWTH_VERSION } from '../../market/growth/growth-version.ts'
import type { MoodName } from '../../market/synth/mood.ts'
import { openUngrown } from '../../market/world/grown-world.ts'
import type { World } from '../../market/world/world.ts'
import { tryLockWorld } from '../../market/world/world-lock.ts'
import { UserError } from '../../platform/user-error.ts'
import { type HistoryName, readHistoryName } from '../../tape/candles/history-name.ts'
import { fileDigest } from '../../tape/file-digest.ts'
import type { TapeHeader } from '../../tape/tape-event.ts'

/** The files of all lines of a folder together, bytes: beyond it the oldest are removed. */
const KEPT_BYTES = 8 * 2 ** 30

/** Lines in the files of a folder. */
export const lineFiles = (cacheDir: string): LineStore => ({
  take: (name) => takeLineFile(cacheDir, name),
  open: openUngrown,
})

/**
 * The file of a line, for this process alone: that of the cache folder, or a private one while
 * another process has it. What is too much in the folder is removed.
 */
function takeLineFile(cacheDir: string, name: LineName): LineFile {
  sweep(cacheDir)
  const { baseFile, t0Ms, mood, events } = name
  const key = [path.basename(baseFile), t0Ms, mood, JSON.stringify(events), GROWTH_VERSION]
  const hash = Bun.hash(key.join('\n')).toString(16).padStart(16, '0')
  const shared = path.join(cacheDir, `grown-${hash}.sqlite`)
  const held = tryLockWorld(shared)
  if (held) return lineFile(shared, held, true)
  for (let count = 1; ; count++) {
    const file = path.join(cacheDir, `grown-${hash}.${count}.sqlite`)
    const own = tryLockWorld(file)
    // What is left of another process that had it is not ours.
    if (!own) continue
    removed(file)
    return lineFile(file, own, false)
  }
}

function lineFile(file: string, unlock: () => void, isShared: boolean): LineFile {
  return {
    file,
    release(isKept) {
      if (!isKept || !isShared) removed(file)
      unlock()
      if (!isKept || !isShared) rmSync(`${file}.lock`, { force: true })
    },
  }
}

function removed(file: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
}

/** Removes what nobody has: private files, and the oldest others while all take too much. */
function sweep(cacheDir: string): void {
  const names = readdirSync(cacheDir).filter((name) => /^grown-[0-9a-f.]+\.sqlite$/.test(name))
  const files = names.flatMap((name) => {
    const file = path.join(cacheDir, name)
    // Another process sweeps as well.
    const found = statSync(file, { throwIfNoEntry: false })
    if (!found) return []
    return { file, size: found.size, mtimeMs: found.mtimeMs, isPrivate: name.split('.').length > 2 }
  })
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  for (const { file, size, isPrivate } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (!isPrivate && bytes <= KEPT_BYTES) continue
    const unlock = tryLockWorld(file)
    if (!unlock) continue
    removed(file)
    unlock()
    bytes -= size
  }
}

/** Where lines are kept: in files of a folder, or in memory. */
export interface LineStore {
  /** The place of a line, ours alone until it is given back. */
  take(name: LineName): LineFile
  /**
   * Opens a line for reading. It ends where nothing has been grown: it is to be grown in slices up
   * to where it is, as all that is read of a line for the first time may be much.
   *
   * @param tapeEndMs where its tape ends
   */
  open(file: string, tapeEndMs: TapeMs): World
}

/** What a line follows from besides the program. */
export interface LineName {
  baseFile: string
  t0Ms: number
  mood: MoodName | null
  events: readonly TimedMarketEvent[]
}

/** A file that is ours until it is given back. */
export interface LineFile {
  file: string
  /** @param isKept whether others find it afterwards; one of our own never is */
  release(isKept: boolean): void
}

// Files of candles that a user names for the time before a tape.

/** The files, and what changes when any of them does. */
export interface HistoryOrder {
  files: readonly HistoryName[]
  /** Empty without files. */
  digest: string
}

/** The order for `FILE`s or `COIN=FILE`s; one that cannot be read is a UserError. */
export async function historyOrder(named: readonly string[]): Promise<HistoryOrder> {
  const files = named.map((one) => readHistoryName(one))
  const digests = await Promise.all(
    files.map(async ({ coin, file }) => `${coin ?? ''}=${await fileDigest(file)}`),
  )
  if (digests.length === 0) return { files, digest: '' }
  const hasher = new Bun.CryptoHasher('sha256')
  return { files, digest: hasher.update(digests.sort().join('\n')).digest('hex') }
}

/** Reads the files; a coin that the tape does not have, or that has two files, is a UserError. */
export async function recordedHistory(
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
  // Loaded when it is needed: a world that is in the cache needs only its name.
  const { readCandles } = await import('../../tape/candles/candle-file.ts')
  const series = await readCandles(file)
  return series.map(({ coin: written, lengthMs, candles }) => {
    const coin = coinOf(file, named, written, coins)
    return { coin, file, lengthMs, candles }
  })
}

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

// The header of a tape that is to be played.

/** What is on no market: the traffic that a recorder has seen. */
const OF_TRAFFIC = ['exchange', 'frame', 'connection', 'gap']

/**
 * The header of a tape that has a market; traffic alone is a UserError that tells the way, as are
 * times of another unit.
 */
export async function marketHeader(path: string) {
  const header = await tapeHeader(path)
  checkTimes(path, header)
  const kinds = Object.keys(header.counts)
  if (kinds.length === 0 || kinds.some((kind) => !OF_TRAFFIC.includes(kind))) return header
  const { exchange = 0, frame = 0 } = header.counts
  throw new UserError(
    `${path}: is recorded traffic (${exchange} exchanges, ${frame} frames), not a market: ` +
      `"tapewright tape normalise ${path} --out market.tape.ndjson.zst" makes a market of it, ` +
      `and "--replay ${path}" serves it unchanged`,
  )
}

/** A world has a month before its tape, and calendars. */
function checkTimes(path: string, { startMs, endMs }: { startMs: number; endMs: number }): void {
  if (startMs >= EARLIEST_MS && endMs < LATEST_MS) return
  throw new UserError(
    `${path}: goes from ${startMs} to ${endMs}, which is not between the years 2000 and 2100: ` +
      'times of a tape are milliseconds since 1970',
  )
}

const EARLIEST_MS = Date.UTC(2000, 0)
const LATEST_MS = Date.UTC(2100, 0)

/** Reading tapes is loaded when it is needed: a world that is in the cache needs only its name. */
export async function tapeHeader(path: string) {
  const { openTape } = await import('../../tape/tape-reader.ts')
  return (await openTape(path)).header
}
