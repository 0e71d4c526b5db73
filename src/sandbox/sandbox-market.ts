import type { LoadedWorld } from './loaded-world.ts'

/** The market that a sandbox is on, which stays open while it is. */
export class SandboxMarket {
  private current: LoadedWorld
  private letGo = () => {}
  private readonly letGoFirst: (() => void) | undefined

  /** @param onGrown the market has gone on */
  constructor(
    private readonly first: LoadedWorld,
    private readonly onGrown: () => void,
  ) {
    this.current = first
    this.letGoFirst = first.growth?.hold()
    this.join(first)
  }

  get world(): LoadedWorld {
    return this.current
  }

  /** From now on the sandbox is on this one. */
  join(world: LoadedWorld): void {
    const letGoBefore = this.letGo
    this.current = world
    const release = world.growth?.hold()
    const forget = world.growth?.onGrown(this.onGrown)
    this.letGo = () => {
      forget?.()
      release?.()
    }
    letGoBefore()
  }

  /** It is on the one again that it was made on. */
  rejoinFirst(): void {
    this.join(this.first)
  }

  leave(): void {
    this.letGo()
    this.letGo = () => {}
    this.letGoFirst?.()
  }
}
