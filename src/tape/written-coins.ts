import { UserError } from '../user-error.ts'
import { DigitExtent } from './digit-extent.ts'
import type { EventDraft, Instrument } from './tape-event.ts'

/** A coin that events name. */
interface WrittenCoin {
  /** Absent where it is given only at the end. */
  instrument: Instrument | undefined
  /** The digits that it will need then. */
  extent: DigitExtent | null
}

/** The coins of a tape that is being written, of which some have no instrument yet. */
export class WrittenCoins {
  private readonly coins = new Map<string, WrittenCoin>()

  constructor(private readonly known: ReadonlyMap<string, Instrument>) {}

  /** What is known of a coin. */
  of(name: string): WrittenCoin {
    let coin = this.coins.get(name)
    if (coin === undefined) {
      coin = { instrument: this.known.get(name), extent: null }
      this.coins.set(name, coin)
    }
    return coin
  }

  /** Takes an event that is written: its numbers are held to the instrument that is given later. */
  observe(coin: WrittenCoin, event: EventDraft): void {
    if (coin.instrument !== undefined || event.coin === '') return
    coin.extent ??= new DigitExtent()
    coin.extent.observe(event)
  }

  /** Holds them to it; a missing one, and one that they do not fit, is a `UserError`. */
  check(path: string, named: ReadonlyMap<string, Instrument>): void {
    for (const [coin, { extent }] of this.coins) {
      if (extent === null) continue
      const instrument = named.get(coin)
      if (!instrument) throw new UserError(`${path}: no instrument is given for ${coin}`)
      const flaw = extent.misfit(instrument)
      if (flaw) throw new UserError(`${path}: ${coin} ${flaw}`)
    }
  }
}
