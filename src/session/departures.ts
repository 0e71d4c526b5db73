/** Clients that have gone: thousands may at once, and what they held is given back in turns. */
import type { Slices } from '../clock/turns.ts'

interface DepartedSession {
  /** The connection is gone, whoever closed it. */
  onClosed(): void
}

export class Departures {
  private readonly gone: DepartedSession[] = []

  /** @param inTurns does work in the turns of the sockets */
  constructor(private readonly inTurns: (work: Slices<void>) => unknown) {}

  add(session: DepartedSession): void {
    this.gone.push(session)
    if (this.gone.length === 1) this.inTurns(this.departing())
  }

  private *departing(): Slices<void> {
    for (let next = 0; next < this.gone.length; next++) {
      this.gone[next]?.onClosed()
      yield
    }
    this.gone.length = 0
  }
}
