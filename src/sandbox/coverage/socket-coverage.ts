/** What a connection of a client meets of the contract. */

import type { Channel } from '../../contract/channel.ts'
import type { RefusalName } from '../../contract/refusal.ts'
import { hasBasis } from '../../contract/refusal-basis.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Met } from './coverage.ts'

type Fields = Readonly<Record<string, unknown>>

export class SocketCoverage {
  /** Scenarios that have acted on it. */
  private readonly faults = new Set<Met>()
  private readonly name: string

  /** @param path of its dialect */
  constructor(
    private readonly sandbox: Sandbox,
    private readonly path: string,
    key: string | null,
  ) {
    this.name = nameOf(path, key)
    this.event('opened')
    this.coverage.sequels.wentOn(this.name, 'opened')
    this.coverage.sequels.regained(this.name, null)
  }

  private get coverage(): Sandbox['coverage'] {
    return this.sandbox.coverage
  }

  /** Counts what happens to the connection itself. */
  event(event: 'opened' | 'ping' | 'stat'): void {
    this.coverage.meet(`transition:${this.path}:${event}`)
  }

  /** Counts a new subscription, by its key. */
  subscribed({ id, subscription: { properties, required } }: Channel, of: Fields, key: string) {
    const { coverage } = this
    coverage.meet(`channel:${id}`)
    for (const name of Object.keys(properties)) {
      // The schema of the interval has a fixed set of words.
      if (name === 'interval') coverage.meet(`parameter:${id}:interval=${of.interval}`)
      if (required?.includes(name) || !of[name]) continue
      coverage.meet(`parameter:${id}:${name}`)
    }
    if (coverage.sequels.isLost) coverage.sequels.regained(this.name, key)
  }

  /** Counts the answer to a command: `subscribed`, `added` and so on. */
  changed({ id }: Channel, status: string): void {
    this.coverage.meet(`transition:${id}:${status}`)
    this.coverage.sequels.wentOn(this.name, status)
  }

  /** Counts a frame that is answered with an error. */
  refused(what: 'subscription' | 'frame' | 'permission' | 'connections'): void {
    const { coverage, path, name } = this
    const of = what === 'connections' ? 'any' : path
    const met = coverage.meet(`refusal:${of}:${what}`)
    coverage.sequels.await(name, `refused ${what}`, [met])
  }

  /** Counts the scenarios of rules that have acted on it. */
  faulted(rules: string): void {
    for (const met of this.coverage.socketFault(this.sandbox, rules)) this.faults.add(met)
  }

  /** Counts its end; the client has to get the subscriptions of a lost one again. */
  closed(end: SocketEnd, subscriptions: Iterable<string>): void {
    if (end === 'stopped') return
    const { coverage, path, name, faults } = this
    const met = coverage.meet(`transition:${path}:${end}`)
    if (end === 'idle' || end === 'closedByServer')
      coverage.sequels.lostConnection(name, subscriptions, [met, ...faults])
  }
}

/** How a connection ends; a sandbox that stops says nothing of its clients. */
export type SocketEnd = 'idle' | 'close' | 'closedByServer' | 'closedByClient' | 'stopped'

const nameOf = (path: string, key: string | null) => `${path} ${key ?? ''}`

/** A refused upgrade. */
interface RefusedUpgrade {
  path: string
  key: string | null
  /** null where a rule gave another response. */
  refused: RefusalName | null
  isByRule: boolean
  rules: string
}

/** Counts a refused upgrade of a client. */
export function coverRefusedUpgrade(
  sandbox: Sandbox,
  { path, key, refused, isByRule, rules }: RefusedUpgrade,
): void {
  const { coverage } = sandbox
  const waiting = rules === '' ? [] : coverage.acted(sandbox, rules.split(', '))
  if (refused !== null && !isByRule && hasBasis(refused))
    waiting.push(coverage.meet(upgradePoint(path, refused)))
  coverage.sequels.await(nameOf(path, key), `upgrade ${refused}`, waiting)
}

function upgradePoint(path: string, refused: RefusalName): string {
  if (refused === 'permission') return `refusal:${path}:permission`
  if (refused === 'signature' || refused === 'connections') return `refusal:any:${refused}`
  return `refusal:${path}:subscription`
}
