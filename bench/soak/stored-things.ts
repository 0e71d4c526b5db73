/** Expected contents of a server by its responses, and a comparison with the real ones. */

/** Expected state of a thing: either one for a request without a response. */
export type ExpectedState = 'there' | 'gone' | 'either'

/** All things of one kind, by name. */
export type Things = Map<string, ExpectedState>

/** A server's contents. */
export interface HeldThings {
  levels: string[]
  alerts: string[]
  keys: string[]
  bookmarks: string[]
  sandboxes: string[]
  /** Tokens. */
  invites: string[]
  usedInvites: string[]
  /** Session time of the sandbox with the moved clock. */
  nowMs: number
  /** Counted requests of sub keys. */
  used: number
}

export class StoredThings {
  readonly levels: Things = new Map()
  readonly alerts: Things = new Map()
  readonly keys: Things = new Map()
  readonly bookmarks: Things = new Map()
  readonly sandboxes: Things = new Map()
  readonly invites: Things = new Map()
  /** Tokens of registered distributors. */
  readonly usedInvites: Things = new Map()
  /** Possible instants of the clock. */
  nowMs: number[] = []
  /** Counted requests sent, and those answered. */
  sent = 0
  answered = 0
  /** Number of them that must be stored. */
  stored = 0
  /** Whether counts are stored before the response: not while there is no space. */
  isStoring = true
  /** Totals of answered reads, accepted changes and refused changes. */
  reads = 0
  made = 0
  refused = 0

  /** Contents that the server lost, or has although it refused them; empty on success. */
  differences(held: HeldThings): string[] {
    const found = this.sorts.flatMap(([sort, things]) => differencesOf(sort, things, held[sort]))
    if (!this.nowMs.includes(held.nowMs))
      found.push(`the clock stands at ${held.nowMs}, and not at ${this.nowMs.join(' or ')}`)
    if (held.used < this.stored || held.used > this.sent)
      found.push(`${held.used} requests are counted: at least ${this.stored}, at most ${this.sent}`)
    return found
  }

  /** Marks a change as stored, together with counts up to its sending. */
  storedAsOf(answered: number): void {
    this.stored = Math.max(this.stored, answered)
    this.isStoring = true
  }

  /** Adopts the server's state of unknown things. */
  settle(held: HeldThings): void {
    for (const [sort, things] of this.sorts) {
      const names = new Set(held[sort])
      for (const name of things.keys()) things.set(name, names.has(name) ? 'there' : 'gone')
    }
    this.nowMs = [held.nowMs]
    // Mere counts may be lost with a server that could not store them.
    this.sent = this.answered = this.stored = held.used
  }

  private get sorts() {
    const { levels, alerts, keys, bookmarks, sandboxes, invites, usedInvites } = this
    const sorts = { levels, alerts, keys, bookmarks, sandboxes, invites, usedInvites }
    return Object.entries(sorts) as [keyof typeof sorts, Things][]
  }
}

function differencesOf(sort: string, things: Things, held: readonly string[]): string[] {
  const names = new Set(held)
  const wrong = (state: ExpectedState, is: boolean, what: string) =>
    [...things]
      .filter(([name, expected]) => expected === state && names.has(name) === is)
      .map(([name]) => `${sort} "${name}" ${what}`)
  return [
    ...wrong('there', false, 'was acknowledged and is lost'),
    ...wrong('gone', true, 'was refused or removed and is there'),
  ]
}
