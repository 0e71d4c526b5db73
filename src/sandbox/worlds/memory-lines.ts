/** Lines in memory, grown in the thread that answers: where there are neither files nor threads. */
import type { TapeMs } from '../../clock/instant.ts'
import { hostClock } from '../../clock/system-clock.ts'
import { Growth } from '../../world/growth/growth.ts'
import { beginLine } from '../../world/growth/line-file.ts'
import type { LineOrder } from '../../world/growth/line-order.ts'
import type { WasmDatabase } from '../../world/wasm/wasm-database.ts'
import { type World, worldOf } from '../../world/world.ts'
import type { GrowthListener, GrowthThread } from './growth-thread.ts'
import type { LineFile, LineStore } from './line-store.ts'

export class MemoryLines implements LineStore {
  private readonly databases = new Map<string, WasmDatabase>()
  private count = 0

  /** @param base what was cast, of which others are copies */
  constructor(base: WasmDatabase) {
    this.databases.set(base.filename, base)
  }

  take(): LineFile {
    const file = `line ${++this.count}`
    const release = () => {
      this.databases.get(file)?.close()
      this.databases.delete(file)
    }
    return { file, release }
  }

  open(file: string, tapeEndMs: TapeMs): World {
    const db = this.of(file)
    const world = worldOf(db, () => db.empty())
    return Object.assign(world, { tapeEndMs, endMs: world.packedEndMs })
  }

  /** Grows a line between whatever else is done, a commit at a time. */
  start(order: LineOrder, listener: GrowthListener): GrowthThread {
    let wantedMs = Number.NEGATIVE_INFINITY
    let isOver = false
    let isAtWork = false
    let growth: Growth | null = null
    const work = async () => {
      await hostClock.yieldTurn()
      while (!isOver) {
        growth ??= Growth.of(this.begun(order))
        if (growth.grownToMs >= wantedMs) return
        for (const toMs of growth.grow(growth.grownToMs + 1)) listener.grown(toMs)
        await hostClock.yieldTurn()
      }
    }
    const end = () => {
      isOver = true
      growth?.close()
      growth = null
    }
    const fail = (error: unknown) => {
      if (isOver) return
      end()
      listener.failed(error instanceof Error ? error : new Error(String(error)))
    }
    const growTo = (untilMs: number) => {
      wantedMs = Math.max(wantedMs, untilMs)
      if (isAtWork || isOver) return
      isAtWork = true
      work()
        .catch(fail)
        .finally(() => {
          isAtWork = false
        })
    }
    return { growTo, end }
  }

  /** The database of a line, made by whoever grows it first. */
  private begun(order: LineOrder): WasmDatabase {
    const known = this.databases.get(order.file)
    if (known) return known
    const made = this.of(order.baseFile).copy(order.file)
    beginLine(made, order)
    this.databases.set(order.file, made)
    return made
  }

  private of(file: string): WasmDatabase {
    const known = this.databases.get(file)
    if (!known) throw new Error(`there is no ${file} in memory`)
    return known
  }
}
