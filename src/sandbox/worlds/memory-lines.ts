/** Lines in memory, grown in the thread that answers: where there are neither files nor threads. */

import type { TapeMs } from '../../clock/instant.ts'
import { hostClock } from '../../clock/system-clock.ts'
import { Growth } from '../../market/growth/growth.ts'
import { beginLine } from '../../market/growth/line-file.ts'
import type { LineOrder } from '../../market/growth/line-order.ts'
import type { WasmDatabase } from '../../market/wasm/wasm-database.ts'
import { type World, worldOf } from '../../market/world/world.ts'
import type { GrowthListener, GrowthThread } from './growth-thread.ts'
import type { LineFile, LineName, LineStore } from './line-files.ts'

/** A line that goes on from what was cast without being told anything, in its database. */
interface LineInBase {
  /** What tells it from others. */
  key: string
  file: string
}

/**
 * There is room for one database that grows: the first line that nobody has told anything is grown
 * in what was cast, and stays. Whoever looks no further than the cast goes sees the same in both.
 */
export class MemoryLines implements LineStore {
  private readonly databases = new Map<string, WasmDatabase>()
  private inBase: LineInBase | null = null
  private count = 0

  /**
   * @param base what was cast, of which others are copies
   * @param castAgain makes what was cast once more, when a line is in it
   */
  constructor(
    private readonly base: WasmDatabase,
    private readonly castAgain: (filename: string) => Promise<WasmDatabase>,
  ) {}

  take(name: LineName): LineFile {
    const key = JSON.stringify(name)
    const isUntold = name.baseFile === this.base.filename && name.events.length === 0
    if (isUntold) this.inBase ??= { key, file: this.newFile() }
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

  /** Grows a line between whatever else is done, a commit at a time. */
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

  private newFile(): string {
    return `line ${++this.count}`
  }

  /** The database of a line, made by whoever grows it first. */
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
