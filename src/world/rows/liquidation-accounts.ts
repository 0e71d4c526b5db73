/** Which liquidations are of the same account, as they come in order. */
import { CROWD } from '../schema.ts'

interface LiquidatedAccount {
  /** trader.id; null where the account is not known. */
  trader: number | null
  instrument: number
}

export class LiquidationAccounts {
  /** The latest place of each account, of any instrument and of one. */
  private readonly ofAny = new Map<number, number>()
  private readonly ofOne = new Map<number, number>()

  /**
   * Where the account's liquidations before a place are, of any instrument and of this one: -1 for
   * none, the place itself where the account is not known. Notes that this is one.
   */
  priorsOf({ trader, instrument }: LiquidatedAccount, at: number): [ofAny: number, ofOne: number] {
    if (trader === null) return [at, at]
    // Nobody of the crowd is liquidated twice.
    if (trader === CROWD) return [-1, -1]
    const ofInstrument = trader * INSTRUMENTS_MAX + instrument
    return [replaced(this.ofAny, trader, at), replaced(this.ofOne, ofInstrument, at)]
  }
}

/** No world has more. */
const INSTRUMENTS_MAX = 2 ** 20

function replaced(places: Map<number, number>, key: number, at: number): number {
  const prior = places.get(key) ?? -1
  places.set(key, at)
  return prior
}
