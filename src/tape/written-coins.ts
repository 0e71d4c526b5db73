import { UserError } from '../user-error.ts'
import { CoinNumbers } from './coin-numbers.ts'
import type { Instrument } from './tape-event.ts'

/** A coin that events name. */
export interface WrittenCoin {
  numbers: CoinNumbers
  /** True where its instrument is given only at the end. */
  isOpen: boolean
  /** True once an event of it is written. */
  isUsed: boolean
}

/** The coins of a tape that is being written, of which some have no instrument yet. */
export class WrittenCoins {
  private readonly coins = new Map<string, WrittenCoin>()

  constructor(private readonly known: ReadonlyMap<string, Instrument>) {}

  /** What is known of a coin. */
  of(name: string): WrittenCoin {
    let coin = this.coins.get(name)
    if (coin === undefined) {
      const instrument = this.known.get(name) ?? null
      const isOpen = instrument === null && name !== ''
      coin = { numbers: new CoinNumbers(instrument), isOpen, isUsed: false }
      this.coins.set(name, coin)
    }
    return coin
  }

  /** Holds them to the instruments there are in the end; a misfit is a `UserError`. */
  check(path: string, named: ReadonlyMap<string, Instrument>): void {
    for (const [coin, { numbers, isOpen, isUsed }] of this.coins) {
      if (!isOpen || !isUsed) continue
      const instrument = named.get(coin)
      if (!instrument) throw new UserError(`${path}: no instrument is given for ${coin}`)
      const flaw = numbers.misfit(instrument)
      if (flaw) throw new UserError(`${path}: ${coin} ${flaw}`)
    }
  }
}
