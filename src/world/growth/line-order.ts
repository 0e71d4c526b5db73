/** A market event with the instants of the tape at which it was asked for and acts. */
export interface TimedMarketEvent {
  readonly event: Readonly<Record<string, unknown>> & { readonly kind: string }
  readonly askedMs: number
  readonly fromMs: number
}

/** A world that goes on: from which file, from which instant, and what was triggered in it. */
export interface LineOrder {
  /** The world it goes on from: a base world, or another line that has been grown to `t0Ms`. */
  readonly baseFile: string
  /** The file of the line itself; it is made when it is not there. */
  readonly file: string
  /** What the base has after this instant is cut off. Within its tape, or what has been grown. */
  readonly t0Ms: number
  /** In order of `fromMs`, none of which is before `t0Ms`. */
  readonly events: readonly TimedMarketEvent[]
}
