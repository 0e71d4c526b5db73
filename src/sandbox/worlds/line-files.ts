/** Files of lines: their names and owners, and the removal of old ones. */

import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { TapeMs } from '../../clock/instant.ts'
import type { HistoryInput, RecordedHistory } from '../../market/casting/tape-input.ts'
import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import { GROWTH_VERSION } from '../../market/growth/growth-version.ts'
import type { MoodName } from '../../market/synth/mood.ts'
import type { World } from '../../market/world/world.ts'
import { openUngrown, tryLockFile } from '../../market/world/world-file.ts'
import { UserError } from '../../platform/user-error.ts'
import { type HistoryName, readHistoryName } from '../../tape/candles/candle-file.ts'
import { fileDigest } from '../../tape/compression.ts'
import type { TapeHeader } from '../../tape/tape-event.ts'

/** Maximum size of all line files of a folder, bytes: beyond it the oldest are removed. */
const KEPT_BYTES = 8 * 2 ** 30

/** A store of lines in the files of a folder. */
export const lineFiles = (cacheDir: string): LineStore => ({
  take: (name) => takeLineFile(cacheDir, name),
  open: openUngrown,
})

/**
 * The file of a line, owned by this process: that of the cache folder, or a private one while
 * another process owns it. Removes old files beyond the maximum.
 */
function takeLineFile(cacheDir: string, name: LineName): LineFile {
  sweep(cacheDir)
  const { baseFile, t0Ms, mood, events } = name
  const key = [path.basename(baseFile), t0Ms, mood, JSON.stringify(events), GROWTH_VERSION]
  const hash = Bun.hash(key.join('\n')).toString(16).padStart(16, '0')
  const shared = path.join(cacheDir, `grown-${hash}.sqlite`)
  const held = tryLockFile(shared)
  if (held) return lineFile(shared, held, true)
  for (let count = 1; ; count++) {
    const file = path.join(cacheDir, `grown-${hash}.${count}.sqlite`)
    const own = tryLockFile(file)
    // The remains of another process's file are not ours.
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
    },
  }
}

function removed(file: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
}

/** Removes files without an owner: private ones, and the oldest others beyond the maximum. */
function sweep(cacheDir: string): void {
  const names = readdirSync(cacheDir).filter((name) => /^grown-[0-9a-f.]+\.sqlite$/.test(name))
  const files = names.flatMap((name) => {
    const file = path.join(cacheDir, name)
    // Another process may remove files as well.
    const found = statSync(file, { throwIfNoEntry: false })
    if (!found) return []
    return { file, size: found.size, mtimeMs: found.mtimeMs, isPrivate: name.split('.').length > 2 }
  })
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  for (const { file, size, isPrivate } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (!isPrivate && bytes <= KEPT_BYTES) continue
    const unlock = tryLockFile(file)
    if (!unlock) continue
    removed(file)
    unlock()
    bytes -= size
  }
}

/** The store of lines: in files of a folder, or in memory. */
export interface LineStore {
  /** Takes exclusive ownership of a line's place until it is released. */
  take(name: LineName): LineFile
  /**
   * Opens a line for reading. It ends where nothing has been grown: it is to be extended in slices,
   * as the first read of a line may be large.
   *
   * @param tapeEndMs end of its tape
   */
  open(file: string, tapeEndMs: TapeMs): World
}

/** The inputs of a line besides the program. */
export interface LineName {
  baseFile: string
  t0Ms: number
  mood: MoodName | null
  events: readonly TimedMarketEvent[]
}

/** An owned file until its release. */
export interface LineFile {
  file: string
  /** @param isKept whether others may find it afterwards; a private one never is */
  release(isKept: boolean): void
}

// Candle files that a user names for the time before a tape.

/** The files, and a digest of their content. */
export interface HistoryOrder {
  files: readonly HistoryName[]
  /** Empty without files. */
  digest: string
}

/** The order for `FILE`s or `COIN=FILE`s; a UserError for an unreadable one. */
export async function historyOrder(named: readonly string[]): Promise<HistoryOrder> {
  const files = named.map((one) => readHistoryName(one))
  const digests = await Promise.all(
    files.map(async ({ coin, file }) => `${coin ?? ''}=${await fileDigest(file)}`),
  )
  if (digests.length === 0) return { files, digest: '' }
  const hasher = new Bun.CryptoHasher('sha256')
  return { files, digest: hasher.update(digests.sort().join('\n')).digest('hex') }
}

/** Reads the files; a UserError for a coin that the tape does not have, or with two files. */
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
  // Loaded on demand: a world that is in the cache needs only its name.
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

// The header of a tape to be played.

/** Event kinds of recorded traffic, which belong to no market. */
const OF_TRAFFIC = ['exchange', 'frame', 'connection', 'gap']

/**
 * The header of a tape with a market; a UserError for traffic alone, with the way to normalise it,
 * and for times of another unit.
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

/** Reading tapes is loaded on demand: a world that is in the cache needs only its name. */
export async function tapeHeader(path: string) {
  const { openTape } = await import('../../tape/tape-reader.ts')
  return (await openTape(path)).header
}
