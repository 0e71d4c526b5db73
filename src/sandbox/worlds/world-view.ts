import type { TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import type { Facts, Moment } from '../../contract/facts.ts'
import type { RecordedGap } from '../../market/bars/recorded-gap.ts'
import type { CoinStanding } from '../../market/events/event-kind.ts'
import { castOf } from '../../market/world/cast.ts'
import { factsOf } from '../../market/world/facts.ts'
import {
  type CoinChange,
  coinChange,
  namesOfCoin,
  standingsAt,
} from '../../market/world/market-standing.ts'
import type { World } from '../../market/world/world.ts'

/** What a sandbox asks of the world that is there at present. */
export abstract class WorldView {
  protected abstract world: World

  get coins(): readonly string[] {
    return this.world.instruments.map(({ coin }) => coin)
  }

  get gaps(): readonly RecordedGap[] {
    return this.world.meta.gaps
  }

  facts(moment: Moment): Facts {
    return factsOf(this.world)(moment)
  }

  cast(moment: Moment): unknown {
    return castOf(this.world, moment)
  }

  standings(atMs: TapeMs): Slices<CoinStanding[]> {
    return standingsAt(this.world, atMs)
  }

  namesOf(coin: string): string[] {
    return namesOfCoin(this.world, coin)
  }

  change(coin: string, fromMs: TapeMs, toMs: TapeMs): CoinChange | null {
    return coinChange(this.world, coin, fromMs, toMs)
  }
}
