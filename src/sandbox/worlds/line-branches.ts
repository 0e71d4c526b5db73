import type { TapeMs } from '../../clock/instant.ts'
import { tapeMs } from '../../clock/instant.ts'
import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import { UserError } from '../../user-error.ts'

type Events = readonly TimedMarketEvent[]

/** A line from which others branch off. */
interface BranchingLine<L> {
  hold(): () => void
  /** The line that is the same up to an instant, and was told these events then and before. */
  branchOff(events: Events, t0Ms: TapeMs): Promise<L>
}

/** Each has a file of its own, of a hundred megabytes and more. */
const BRANCHES_MAX = 64

/** The lines of one world by what they were told; those who tell the same are on the same one. */
export class LineBranches<L extends BranchingLine<L>> {
  private readonly known = new Map<string, Promise<L>>()

  /** @param main the one that was told nothing */
  constructor(private readonly main: L) {}

  of(events: Events): Promise<L> {
    if (events.length === 0) return Promise.resolve(this.main)
    const key = JSON.stringify(events)
    const known = this.known.get(key) ?? this.made(events)
    this.known.set(key, known)
    known.catch(() => this.known.delete(key))
    return known
  }

  /** It is closed: who tells the same again has another one made. */
  forget(events: Events): void {
    this.known.delete(JSON.stringify(events))
  }

  private async made(events: Events): Promise<L> {
    if (this.known.size >= BRANCHES_MAX)
      throw new UserError(
        `${this.known.size} markets have been told something, at most ${BRANCHES_MAX}: drop or ` +
          'reset some of their sandboxes first',
      )
    const t0Ms = tapeMs(Math.max(...events.map(({ askedMs }) => askedMs)))
    const from = await this.of(events.filter(({ askedMs }) => askedMs < t0Ms))
    const letGo = from.hold()
    try {
      return await from.branchOff(events, t0Ms)
    } finally {
      letGo()
    }
  }
}
