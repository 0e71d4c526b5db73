/** Pocket worlds: the files for a sandbox in a web page without a server. */

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { castFile } from '../../../market/casting/cast-file.ts'
import { strippedBytes } from '../../../market/world/pocket-file.ts'
import { RECORDINGS_FOLDER, SCENARIOS_FOLDER } from '../../../platform/environment.ts'
import { UserError } from '../../../platform/user-error.ts'
import { VERSION } from '../../../platform/version.ts'
import { scenarioLibraryTexts } from '../../../sandbox/scenario/scenario-library.ts'
import { fileDigest } from '../../../tape/compression.ts'
import { cutTape } from '../../../tape/cut.ts'
import type { TapeHeader } from '../../../tape/tape-event.ts'
import { findTape } from '../../../tape/tape-name.ts'
import { openTape } from '../../../tape/tape-reader.ts'
import { POCKET_FILES, type PocketManifest } from '../../browser/pocket-files.ts'
import { PACKED } from '../../transport/elysia/packed-file.ts'

/** A week of history, where other worlds have a month. */
const HISTORY_MS = 7 * 86_400_000
/** Maximum size of the compressed world. */
const BYTES_MAX = 8_000_000

export interface PocketOrder {
  tape: string
  seed: number
  /** Comma-separated; some of each kind by default. */
  coins: string | undefined
}

/** Writes the files into a folder; returns a summary. */
export async function writePocket(folder: string, order: PocketOrder): Promise<string> {
  const program = await programFiles()
  const draft = mkdtempSync(path.join(tmpdir(), 'tapewright-pocket-'))
  try {
    const source = findTape(order.tape, RECORDINGS_FOLDER)
    const tape = path.join(draft, 'pocket.tape.ndjson')
    const { instruments } = await cutTape(source, tape, { coins: await coinsOf(source, order) })
    const digest = await fileDigest(tape)
    const file = path.join(draft, 'pocket.sqlite')
    const opened = await openTape(tape)
    await castFile({ ...opened, digest }, String(order.seed), file, { historyMs: HISTORY_MS })
    const packed = Bun.gzipSync(await strippedBytes(file), { level: 9 })
    const coins = instruments.map(({ coin }) => coin).join(', ')
    if (packed.length > BYTES_MAX)
      throw new UserError(
        `the pocket world of ${coins} has ${inMb(packed.length)} compressed, at most ` +
          `${inMb(BYTES_MAX)}: name fewer coins with --coins, or cut the tape with tape cut`,
      )
    const manifest: PocketManifest = {
      format: 'tapewright-pocket',
      version: VERSION,
      world: `${digest.slice(0, 12)}/${order.seed}`,
      bytes: packed.length,
      scenarios: scenarioLibraryTexts(SCENARIOS_FOLDER),
    }
    write(folder, { program, packed, manifest })
    return `${folder}: ${coins}, a week, ${inMb(packed.length)} compressed`
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

interface Written {
  /** The worker and SQLite by their names. */
  program: ReadonlyMap<string, Uint8Array>
  packed: Uint8Array
  manifest: PocketManifest
}

/** The manifest is written last, when its files exist. */
function write(folder: string, { program, packed, manifest }: Written): void {
  try {
    mkdirSync(folder, { recursive: true })
    for (const [name, bytes] of program) writeFileSync(path.join(folder, name), bytes)
    writeFileSync(path.join(folder, POCKET_FILES.world), packed)
    writeFileSync(path.join(folder, POCKET_FILES.manifest), JSON.stringify(manifest))
  } catch (error) {
    throw new UserError(`cannot write into ${folder} (${(error as Error).message})`)
  }
}

async function coinsOf(tape: string, { coins }: PocketOrder): Promise<string[]> {
  if (coins !== undefined) return coins.split(',').map((coin) => coin.trim())
  const { header } = await openTape(tape)
  return someOf(header.instruments)
}

/** A few of the main dex, one of another dex, and the spot pair on one of them. */
function someOf(instruments: TapeHeader['instruments']): string[] {
  const main = instruments.filter(({ kind, dex }) => kind === 'perp' && dex === '').slice(0, 4)
  const other = instruments.find(({ dex }) => dex !== '')
  const bases = new Set(main.map(({ base }) => base))
  const spot = instruments.find(({ kind, base }) => kind === 'spot' && bases.has(base))
  const chosen = [...main, other, spot].flatMap((one) => one ?? [])
  return (chosen.length > 0 ? chosen : instruments).map(({ coin }) => coin)
}

/** The files lie beside the built program. */
async function programFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  for (const name of [POCKET_FILES.worker, POCKET_FILES.sqlite]) {
    const file = path.join(import.meta.dir, 'browser', name + PACKED)
    if (!existsSync(file))
      throw new UserError(
        'the worker of pages is not beside this program: use "npx tapewright cast --pocket", or ' +
          'in a checkout "bun run build" first',
      )
    files.set(name, Bun.gunzipSync(await Bun.file(file).bytes()))
  }
  return files
}

const inMb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
