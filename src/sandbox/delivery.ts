import type { Speed } from './playhead-anchor.ts'

/**
 * Who is waited for when a subscriber is slow. `paced`: at the recorded speed and below nobody,
 * faster than that everybody, but no longer than a client takes something now and then.
 * `lossless`: everybody at any speed, however long it takes, so that nothing is lost. `live`:
 * nobody, so that slow clients lose what does not fit into their queues.
 */
export type Delivery = 'paced' | 'lossless' | 'live'

export const DELIVERIES: readonly Delivery[] = ['paced', 'lossless', 'live']

/** What holds for a sandbox at present. */
export class DeliverySetting {
  constructor(public mode: Delivery = 'paced') {}

  /** Whether the tape waits for subscribers at a speed. */
  waitsAt(speed: Speed): boolean {
    return this.mode === 'lossless' || (this.mode === 'paced' && !(Number(speed) <= 1))
  }

  /** Whether one who takes nothing is waited for as long as it lasts. */
  get isPatient(): boolean {
    return this.mode === 'lossless'
  }
}
