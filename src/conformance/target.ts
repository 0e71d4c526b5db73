/** What is known of the service that is looked at. */

export interface TargetKey {
  accessKey: string
  secretKey: string
}

/** full: may call everything. partner: a distributor. sub, bare: keys of its customers. */
export type Who = 'full' | 'partner' | 'sub' | 'bare'

/** What a control plane adds. */
export interface TargetControl {
  /** Moves the clock; resolves when everything that fell due has been sent. */
  advance(ms: number): Promise<void>
  /** Holds the clock, which only `advance` moves then; the answer lets it run again. */
  hold(): Promise<() => Promise<void>>
  /** Stops the market while the clock goes on; the answer lets it go on. */
  freeze?(): Promise<() => Promise<void>>
  /** Makes a sub key of a level of the partner; `remove` takes it away. */
  subKey?(level: string): Promise<{ key: TargetKey; remove(): Promise<void> }>
}

export interface Target {
  keys: { full: TargetKey } & Partial<Record<Who, TargetKey>>
  inviteToken?: string
  control?: TargetControl
  /** Who there is that cannot be found in the target's own lists. */
  known?: { builders?: readonly string[] }
  /** How long a case may wait for something to happen by itself, ms. */
  patienceMs: number
}
