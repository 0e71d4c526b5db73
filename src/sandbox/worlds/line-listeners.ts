import { tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { preparePlayback } from '../../world/playback/timeline.ts'
import type { World } from '../../world/world.ts'
import type { GrowthListener } from '../loaded-world.ts'

/** Who is told when a line has grown. */
export class LineListeners {
  private readonly all = new Set<GrowthListener>()

  add(listener: GrowthListener): () => void {
    this.all.add(listener)
    return () => this.all.delete(listener)
  }

  grew(): void {
    for (const listener of [...this.all]) listener.grew()
  }

  /** Before they go over to another world: reads what they play next there, in slices. */
  *prepare(world: World, chunkMs: number): Slices<void> {
    for (const atMs of new Set([...this.all].map((one) => one.playedMs())))
      yield* preparePlayback(world, chunkMs, tapeMs(atMs))
  }
}
