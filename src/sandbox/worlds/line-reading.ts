import type { World } from '../../world/world.ts'

/** The file of a line, read as soon as it is there, while what is wanted of it is still grown. */
export class LineReading {
  private begun: Promise<World> | null = null

  constructor(private readonly open: (file: string) => Promise<World>) {}

  /** The world of it, ready for whoever looks first; the same one until it is forgotten. */
  of(file: string): Promise<World> {
    this.begun ??= this.open(file)
    return this.begun
  }

  /** It is another file from now on, or was not to be read. */
  forget(): void {
    this.begun = null
  }
}
