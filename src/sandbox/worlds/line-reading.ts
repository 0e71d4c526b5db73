import type { TapeMs } from '../../clock/instant.ts'
import type { World } from '../../world/world.ts'
import type { LineStore } from './line-store.ts'

/** The file of a line, read as soon as it is there, while what is wanted of it is still grown. */
export class LineReading {
  private begun: Promise<World> | null = null

  constructor(
    private readonly store: LineStore,
    /** Gets a world ready for whoever looks at it first. */
    private readonly warm: (world: World) => Promise<void>,
  ) {}

  /** The world of it, ready for whoever looks first; the same one until it is forgotten. */
  of(file: string, tapeEndMs: TapeMs): Promise<World> {
    this.begun ??= this.read(file, tapeEndMs)
    return this.begun
  }

  /** It is another file from now on, or was not to be read. */
  forget(): void {
    this.begun = null
  }

  private async read(file: string, tapeEndMs: TapeMs): Promise<World> {
    const world = this.store.open(file, tapeEndMs)
    await this.warm(world)
    return world
  }
}
