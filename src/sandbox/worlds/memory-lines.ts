/** Lines in memory, grown in the main thread: for places without files and threads. */

import type { TapeMs } from '../../clock/instant.ts'
import { hostClock } from '../../clock/system-clock.ts'
import { Growth } from '../../market/growth/growth.ts'
import type { LineOrder } from '../../market/growth/line-file.ts'
import { beginLine } from '../../market/growth/line-file.ts'
import type { WasmDatabase } from '../../market/wasm/wasm-database.ts'
import { type World, worldOf } from '../../market/world/world.ts'
import type { GrowthListener, GrowthThread, LineFile, LineName, LineStore } from './line-grower.ts'

/** The line without market events, grown in the cast world's own database. */
interface LineInBase {
  /** Its key among lines. */
  key: string
  file: string
}

/**
 * A store of lines in memory. There is room for one growing database: the first line without market
 * events grows in the cast world's own. Both are equal up to the end of the cast.
 */
export class MemoryLines implements LineStore {
  private readonly databases = new Map<string, WasmDatabase>()
  private inBase: LineInBase | null = null
  private count = 0

  /**
   * @param base the cast world, which other lines copy
   * @param castAgain casts the world once more, when a line is in it
   */
  constructor(
    private readonly base: WasmDatabase,
    private readonly castAgain: (filename: string) => Promise<WasmDatabase>,
  ) {}

  take(name: LineName): LineFile {
    const key = JSON.stringify(name)
    const isUnscheduled = name.baseFile === this.base.filename && name.events.length === 0
    if (isUnscheduled) this.inBase ??= { key, file: this.newFile() }
    if (this.inBase?.key === key) return { file: this.inBase.file, release: () => {} }
    const file = this.newFile()
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

  /** Grows a line in turns, a commit at a time. */
  start(order: LineOrder, listener: GrowthListener): GrowthThread {
    let wantedMs = Number.NEGATIVE_INFINITY
    let isOver = false
    let isAtWork = false
    let growth: Growth | null = null
    const work = async () => {
      await hostClock.yieldTurn()
      while (!isOver) {
        if (growth === null) {
          const db = await this.begun(order)
          if (isOver) return
          growth = Growth.of(db)
          if (growth.grownToMs >= wantedMs) listener.grown(growth.grownToMs)
        }
        if (growth.grownToMs >= wantedMs) {
          // At once: what is wanted from here on needs new work.
          isAtWork = false
          return
        }
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
      work().catch(fail)
    }
    return { growTo, end }
  }

  private newFile(): string {
    return `line ${++this.count}`
  }

  /** The database of a line, made on its first growth. */
  private async begun(order: LineOrder): Promise<WasmDatabase> {
    const known = this.databases.get(order.file)
    if (known) return known
    const made = await this.made(order)
    beginLine(made, order)
    this.databases.set(order.file, made)
    return made
  }

  private async made({ baseFile, file }: LineOrder): Promise<WasmDatabase> {
    const { base, inBase } = this
    if (baseFile !== base.filename) return this.of(baseFile).copy(file)
    if (file === inBase?.file) return base.named(file)
    return inBase && this.databases.has(inBase.file) ? this.castAgain(file) : base.copy(file)
  }

  private of(file: string): WasmDatabase {
    const known = this.databases.get(file)
    if (!known) throw new Error(`there is no ${file} in memory`)
    return known
  }
}
