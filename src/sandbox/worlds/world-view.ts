import type { TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import type { Facts, Moment } from '../../contract/facts/index.ts'
import {
  type CoinChange,
  type CoinStanding,
  castOf,
  coinChange,
  factsOf,
  namesOfCoin,
  type RecordedGap,
  standingsAt,
  type World,
} from '../../market/index.ts'

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
