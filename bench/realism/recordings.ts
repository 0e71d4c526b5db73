/** Real data: recordings of markets and of responses, stored outside of the project. */
import path from 'node:path'
import { UserError } from '../../src/platform/user-error.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import type { Reading } from './observations.ts'

/** Makes a tape from the largest recording of a folder. */
export async function recordedTape(folder: string, out: string): Promise<void> {
  const [largest] = await largestRecordings(folder, 1)
  await importTape([largest as string], out)
}

/** The largest recordings of a folder; a UserError where it has none. */
export async function largestRecordings(folder: string, count: number): Promise<string[]> {
  const files = (await filesOf(folder, '**/*.gz')).filter((file) => !file.endsWith('.json.gz'))
  const sizes = files.map((file) => ({ file, size: Bun.file(file).size }))
  const largest = sizes.toSorted((a, b) => b.size - a.size).slice(0, count)
  if (largest.length > 0) return largest.map(({ file }) => file)
  throw new UserError(`${folder} has no recording (*.gz): name a folder that has`)
}

/** The longest history of hourly funding rates among a folder's recorded responses. */
export async function recordedFunding(folder: string): Promise<Reading[]> {
  const histories = await Promise.all((await filesOf(folder, '**/*.json')).map(ratesOf))
  return histories.reduce((longest, one) => (one.length > longest.length ? one : longest), [])
}

async function filesOf(folder: string, pattern: string): Promise<string[]> {
  const found = await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: folder, onlyFiles: true }))
  return found.sort().map((file) => path.join(folder, file))
}

/** A response of `fundingHistory`: `{request: {type}, response: [{fundingRate, time}]}`. */
async function ratesOf(file: string): Promise<Reading[]> {
  const { request, response } = (await Bun.file(file).json()) as Recorded
  if (request?.type !== 'fundingHistory' || !Array.isArray(response)) return []
  return response.map(({ time, fundingRate }) => ({ timeMs: time, value: Number(fundingRate) }))
}

interface Recorded {
  request?: { type?: string }
  response?: { time: number; fundingRate: string }[]
}
