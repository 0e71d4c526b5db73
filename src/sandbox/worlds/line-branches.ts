import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import { UserError } from '../../user-error.ts'

type Events = readonly TimedMarketEvent[]

/** Each has a file of its own, of a hundred megabytes and more. */
const BRANCHES_MAX = 64

/** The lines of one world by what they were told; those who tell the same are on the same one. */
export class LineBranches<L> {
  private readonly known = new Map<string, Promise<L>>()

  /** The one that was told these; made when it is not there. */
  of(events: Events, make: () => Promise<L>): Promise<L> {
    const key = JSON.stringify(events)
    const known = this.known.get(key)
    if (known) return known
    if (this.known.size >= BRANCHES_MAX)
      throw new UserError(
        `${this.known.size} markets have market events, at most ${BRANCHES_MAX}: drop or ` +
          'reset some of their sandboxes first',
      )
    const made = make()
    this.known.set(key, made)
    made.catch(() => this.forget(events))
    return made
  }

  /** It is closed: who tells the same again has another one made. */
  forget(events: Events): void {
    this.known.delete(JSON.stringify(events))
  }
}
