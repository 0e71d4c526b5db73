import type { PlayerHost } from './playback-listener.ts'
import type { TapePosition } from './playhead.ts'

type LapHost = Pick<PlayerHost, 'clock' | 'playhead' | 'onLap'>

/** Tells when the tape begins anew. */
export class LapWatch {
  private lap = 0

  constructor(
    private readonly host: LapHost,
    private readonly onLap: (begun: TapePosition) => void,
  ) {}

  /** The playhead was set to a place in a lap. */
  reset(lap: number): void {
    this.lap = lap
  }

  /** An event of a lap is played. */
  reach(lap: number): void {
    if (lap === this.lap) return
    this.lap = lap
    this.host.onLap(lap)
    const { playhead } = this.host
    this.onLap(playhead.positionAfter(lap * playhead.lapMs))
  }

  /** While nothing is played, the clock tells; the result cancels it, null where no lap comes. */
  schedule(): (() => void) | null {
    const { clock, playhead } = this.host
    if (playhead.end !== 'loop') return null
    const whenMs = playhead.sessionMsOf((this.lap + 1) * playhead.lapMs)
    if (whenMs === undefined) return null
    let cancel = () => {}
    const begin = () => {
      this.reach(this.lap + 1)
      cancel = this.schedule() ?? cancel
    }
    cancel = clock.at(whenMs, begin, 'lap of the tape')
    return () => cancel()
  }
}
