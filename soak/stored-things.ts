/** What a server was told to keep, what it said to that, and whether it holds as much. */

/** What must be true of a thing: of a request without an answer nobody knows. */
export type ExpectedState = 'there' | 'gone' | 'either'

/** All things of one sort, by name. */
export type Things = Map<string, ExpectedState>

/** As a server shows them. */
export interface HeldThings {
  levels: string[]
  alerts: string[]
  keys: string[]
  bookmarks: string[]
  sandboxes: string[]
  /** Tokens. */
  invites: string[]
  usedInvites: string[]
  /** Session time of the sandbox whose clock is moved. */
  nowMs: number
  /** Requests of sub keys that were counted. */
  used: number
}

export class StoredThings {
  readonly levels: Things = new Map()
  readonly alerts: Things = new Map()
  readonly keys: Things = new Map()
  readonly bookmarks: Things = new Map()
  readonly sandboxes: Things = new Map()
  readonly invites: Things = new Map()
  /** Those of which there is a distributor. */
  readonly usedInvites: Things = new Map()
  /** Instants at which the clock may stand. */
  nowMs: number[] = []
  /** Counted requests that were sent, and those that were answered. */
  sent = 0
  answered = 0
  /** How many of them must be stored. */
  stored = 0
  /** Whether what is counted is stored before it is answered: not while there is no space. */
  isStoring = true
  /** Reads that were answered, changes that were made and changes that were refused, in all. */
  reads = 0
  made = 0
  refused = 0

  /** What a server has lost or has in spite of having refused it; empty when all is well. */
  differences(held: HeldThings): string[] {
    const found = this.sorts.flatMap(([sort, things]) => differencesOf(sort, things, held[sort]))
    if (!this.nowMs.includes(held.nowMs))
      found.push(`the clock stands at ${held.nowMs}, and not at ${this.nowMs.join(' or ')}`)
    if (held.used < this.stored || held.used > this.sent)
      found.push(`${held.used} requests are counted: at least ${this.stored}, at most ${this.sent}`)
    return found
  }

  /** A change was stored, and with it what had been counted when it was sent. */
  storedAsOf(answered: number): void {
    this.stored = Math.max(this.stored, answered)
    this.isStoring = true
  }

  /** What was not known is as the server has it. */
  settle(held: HeldThings): void {
    for (const [sort, things] of this.sorts) {
      const names = new Set(held[sort])
      for (const name of things.keys()) things.set(name, names.has(name) ? 'there' : 'gone')
    }
    this.nowMs = [held.nowMs]
    // What was only counted may be lost with a server that could not store it.
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
