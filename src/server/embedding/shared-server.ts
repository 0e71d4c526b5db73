/** One server for all sandboxes of a process, while there are any. */
import { startBackgroundTimer } from '../../clock/system-clock.ts'

/** A server of sandboxes. */
export interface SandboxServer {
  url: string
  /** Token of its control plane; none on loopback. */
  token?: string | undefined
  /**
   * How it has ended by itself, such as `ended with code 1`; null while it serves.
   *
   * @param waitMs time to wait for its end, which may be reported later than its effects
   */
  ended(waitMs: number): Promise<string | null>
  stop(): Promise<void>
}

/** The use of a server by one sandbox. */
export interface Lease {
  server: SandboxServer
  /** Ends it, once. */
  release(): Promise<void>
}

interface Running {
  server: Promise<SandboxServer>
  leases: number
  cancelStop: () => void
}

export class SharedServer {
  private running: Running | null = null

  /**
   * @param start called for the first sandbox, and after a server has ended
   * @param lingerMs time that it stays after its last sandbox is closed, for the next one
   */
  constructor(
    private readonly start: () => Promise<SandboxServer>,
    private readonly lingerMs: number,
  ) {}

  async lease(): Promise<Lease> {
    this.running ??= { server: this.start(), leases: 0, cancelStop: () => {} }
    const { running } = this
    running.cancelStop()
    running.leases++
    try {
      const server = await running.server
      if ((await server.ended(0)) === null) return { server, release: this.releaser(running) }
    } catch (error) {
      this.forget(running)
      throw error
    }
    this.forget(running)
    return this.lease()
  }

  private releaser(running: Running): () => Promise<void> {
    let isReleased = false
    return async () => {
      if (isReleased) return
      isReleased = true
      running.leases--
      if (running.leases > 0) return
      if (this.lingerMs === 0) return this.stop(running)
      running.cancelStop = startBackgroundTimer(this.lingerMs, () => void this.stop(running))
    }
  }

  private async stop(running: Running): Promise<void> {
    this.forget(running)
    const server = await running.server
    await server.stop()
  }

  private forget(running: Running): void {
    if (this.running === running) this.running = null
  }
}
