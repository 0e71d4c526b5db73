/** The session clock of a sandbox, under a test's hand. */
import type { SandboxControl } from '../../clients/control/control.ts'

export interface SandboxClock {
  /** Session time, ms. */
  now(): Promise<number>
  /** Stops it where it is; answers with the session time, ms. */
  hold(): Promise<number>
  /** Lets it run with the machine from where it is. */
  run(): Promise<number>
  /**
   * Moves it forward by so many ms, to the next minute, when rates are refilled, or to the next
   * month, when quotas are renewed. Every alarm that fell due has fired then, and every push has
   * been queued. The market goes with it, unless it is told to stay where it is or that is a month.
   */
  advance(
    by: number | 'next-minute' | 'next-month',
    how?: { market?: 'moves' | 'stays' },
  ): Promise<number>
}

/** The clock of a sandbox, by its control plane. */
export function sandboxClock(control: SandboxControl): SandboxClock {
  return {
    now: async () => (await control.get()).clock.now,
    hold: async () => (await control.clock.set({ state: 'held' })).clock.now,
    run: async () => (await control.clock.set({ state: 'running' })).clock.now,
    advance: async (by, { market } = {}) => {
      const fields = typeof by === 'number' ? { ms: by } : { to: by }
      return (await control.clock.advance({ ...fields, market })).clock.now
    },
  }
}
