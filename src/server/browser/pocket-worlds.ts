import type { MoodName } from '../../market/synth/mood.ts'
import { WasmDatabase } from '../../market/wasm/wasm-database.ts'
import type { WasmFiles } from '../../market/wasm/wasm-sqlite.ts'
import { loadWasmSqlite } from '../../market/wasm/wasm-sqlite.ts'
import { completeWorld } from '../../market/world/pocket.ts'
import { warmGrown, warmUp } from '../../market/world/warming.ts'
import { worldOf } from '../../market/world/world.ts'
import { UserError } from '../../platform/user-error.ts'
import type { WorldProvider } from '../../sandbox/loaded-world.ts'
import { GrowthSlots, type LineHost } from '../../sandbox/worlds/line-grower.ts'
import { MarketLine } from '../../sandbox/worlds/market-line.ts'
import { MemoryLines } from '../../sandbox/worlds/memory-lines.ts'
import type { PocketFiles } from './pocket-files.ts'

/** The single world of a page, whose market continues after its tape. */
export async function pocketWorlds(
  { manifest, world: unpack, sqlite: binary }: PocketFiles,
  log: (text: string) => void,
): Promise<WorldProvider> {
  const sqlite = await loadWasmSqlite(binary)
  const files = await pageFiles((folder) => sqlite.filesIn(folder))
  const cast = async (filename: string) => {
    const db = new WasmDatabase(sqlite, filename, await unpack(), files)
    completeWorld(db)
    return db
  }
  const db = await cast('pocket')
  const world = worldOf(db, () => db.empty())
  void warmUp(world)
  const store = new MemoryLines(db, cast)
  const slots = new GrowthSlots(1)
  const host: LineHost = {
    store,
    slots,
    start: (order, listener) => store.start(order, listener),
    log,
    track: () => () => {},
  }
  const { world: id } = manifest
  const lines = new Map<MoodName | null, MarketLine>()
  return async ({ tape, seed, mood = null }) => {
    if (tape !== undefined || seed !== undefined)
      throw new UserError(
        'a page has one world, its pocket world: leave out tape and seed, and write the files ' +
          'for another one with "npx tapewright cast --pocket"',
      )
    const origin = { id, world, t0Ms: world.tapeEndMs, mood, events: [], branches: null }
    const line = lines.get(mood) ?? new MarketLine(origin, host, warmGrown)
    lines.set(mood, line)
    return line
  }
}

/**
 * Files on the disk that the browser gives the page; null where it gives none, as private windows
 * of some browsers do. Each tab has a folder of its own; the next tab to open removes those of
 * closed tabs.
 */
async function pageFiles(open: (folder: string) => Promise<WasmFiles>): Promise<WasmFiles | null> {
  const { locks, storage } = navigator as Partial<Storing>
  if (!locks || !storage?.getDirectory) return null
  try {
    const root = await storage.getDirectory()
    return await locks.request(`${PREFIX}folders`, async () => open(await ownFolder(root, locks)))
  } catch {
    return null
  }
}

/** The first folder without another tab, emptied, and owned for the life of the worker. */
async function ownFolder(root: Folder, locks: Locks): Promise<string> {
  const { held } = await locks.query()
  const used = new Set(held.map(({ name }) => name))
  const isLeft = (name: string) => name.startsWith(PREFIX) && !used.has(name)
  for await (const name of root.keys())
    if (isLeft(name)) await root.removeEntry(name, { recursive: true }).catch(() => {})
  let number = 1
  while (used.has(`${PREFIX}${number}`)) number++
  const name = `${PREFIX}${number}`
  await new Promise<void>((resolve) => {
    const forever = new Promise<void>(() => {})
    void locks.request(name, () => {
      resolve()
      return forever
    })
  })
  return name
}

const PREFIX = 'tapewright-'

/** A browser's interface, which the types of other runtimes lack. */
interface Storing {
  locks: Locks
  storage: { getDirectory?: () => Promise<Folder> }
}

interface Locks {
  request<T>(name: string, task: () => Promise<T>): Promise<T>
  query(): Promise<{ held: { name: string }[] }>
}

interface Folder {
  keys(): AsyncIterable<string>
  removeEntry(name: string, options: { recursive: true }): Promise<void>
}
