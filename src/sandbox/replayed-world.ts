/** A world in which a recording is played as well. */
import type { TapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import type { Facts, Moment } from '../contract/facts.ts'
import type { Timeline } from '../contract/timeline.ts'
import type { CoinStanding } from '../market/events/event-kind.ts'
import type { Recording } from '../replay/as-recorded/recording.ts'
import { replayedTimeline } from '../replay/as-recorded/replayed-timeline.ts'
import type { Upstream } from '../replay/upstream.ts'
import type { CoinChange } from '../world/market-standing.ts'
import type { LoadedWorld, MarketGrowth } from './loaded-world.ts'

export class ReplayedWorld implements LoadedWorld {
  readonly id: string
  readonly timeline: Timeline
  readonly growth?: MarketGrowth

  constructor(
    private readonly base: LoadedWorld,
    readonly recording: Recording,
    readonly upstream: Upstream | null,
  ) {
    this.id = `${base.id}+${recording.id}`
    this.timeline = replayedTimeline(base.timeline, recording.frames)
    if (base.growth) this.growth = replayedGrowth(base.growth, recording, upstream)
  }

  get coins(): readonly string[] {
    return this.base.coins
  }

  facts(moment: Moment): Facts {
    return this.base.facts(moment)
  }

  cast(moment: Moment): unknown {
    return this.base.cast(moment)
  }

  standings(atMs: TapeMs): Slices<CoinStanding[]> {
    return this.base.standings(atMs)
  }

  namesOf(coin: string): string[] {
    return this.base.namesOf(coin)
  }

  change(coin: string, fromMs: TapeMs, toMs: TapeMs): CoinChange | null {
    return this.base.change(coin, fromMs, toMs)
  }
}

/** The same growth; a market that branches off has the recording too. */
const replayedGrowth = (
  growth: MarketGrowth,
  recording: Recording,
  upstream: Upstream | null,
): MarketGrowth => ({
  ensure: (untilMs) => growth.ensure(untilMs),
  onGrown: (listener) => growth.onGrown(listener),
  hold: () => growth.hold(),
  branch: async (branch) => new ReplayedWorld(await growth.branch(branch), recording, upstream),
})
