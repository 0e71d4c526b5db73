import type { MoodName } from '../market/synth/mood.ts'
import type { WorldProvider } from '../sandbox/loaded-world.ts'
import { GrowthSlots } from '../sandbox/worlds/growth-slots.ts'
import type { LineHost } from '../sandbox/worlds/line-grower.ts'
import { MarketLine } from '../sandbox/worlds/market-line.ts'
import { MemoryLines } from '../sandbox/worlds/memory-lines.ts'
import { warmGrown, warmUp } from '../sandbox/worlds/warming.ts'
import { UserError } from '../user-error.ts'
import { completeWorld } from '../world/pocket.ts'
import { WasmDatabase } from '../world/wasm/wasm-database.ts'
import { loadWasmSqlite } from '../world/wasm/wasm-sqlite.ts'
import { worldOf } from '../world/world.ts'
import { pageFiles } from './page-files.ts'
import type { PocketFiles } from './pocket-files.ts'

/** The one world that there is in a page, whose market goes on after its tape. */
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
