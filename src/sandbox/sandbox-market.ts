import type { GrowthListener, LoadedWorld } from './loaded-world.ts'

/** The market that a sandbox is on, which stays open while it is. */
export class SandboxMarket {
  private letGo = () => {}

  constructor(
    private current: LoadedWorld,
    private readonly player: GrowthListener,
  ) {
    this.join(current)
  }

  get world(): LoadedWorld {
    return this.current
  }

  /** From now on the sandbox is on this one. */
  join(world: LoadedWorld): void {
    const letGoBefore = this.letGo
    this.current = world
    const release = world.growth?.hold()
    const forget = world.growth?.onGrown(this.player)
    this.letGo = () => {
      forget?.()
      release?.()
    }
    letGoBefore()
  }

  leave(): void {
    this.letGo()
    this.letGo = () => {}
  }
}
