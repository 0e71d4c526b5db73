/** What a coin is called by requests and pushes, whichever of its names a rule gives. */
import { tapeMs } from '../../clock/instant.ts'
import type { Moment } from '../../contract/facts.ts'
import { DEFAULT_ANSWERS } from '../../contract/questions.ts'
import { MAGIC_VALUES, magicCoin } from '../../scenario/magic-values.ts'
import { fits } from '../../scenario/name-match.ts'
import type { LoadedWorld } from '../loaded-world.ts'

/** What of a world is asked for the names of its coins. */
export type NamingWorld = Pick<LoadedWorld, 'standings' | 'namesOf' | 'coins' | 'cast'>

export class CoinNames {
  private others: readonly string[] | null = null

  constructor(
    private readonly world: NamingWorld,
    private readonly atMs: number,
  ) {}

  /** All names of the coin that has this one, which may be a symbol; null for an unknown one. */
  of(name: string): string[] | null {
    const { world } = this
    const isSame = (other: string) => other.toLowerCase() === name.toLowerCase()
    const named = world.coins.find((coin) => world.namesOf(coin).some(isSame))
    if (named !== undefined) return [name, ...world.namesOf(named)]
    const others = this.otherNames()
    if (name.endsWith('*'))
      return [...world.coins, ...others].some((other) => fits(name, other)) ? [name] : null
    if (!others.some(isSame)) return null
    const traded = world.coins.find((coin) =>
      world.namesOf(coin).some((pairs) => pairs.endsWith('*') && fits(pairs, name)),
    )
    const ofCoin = traded === undefined ? [] : world.namesOf(traded)
    return [name, ...ofCoin.filter((one) => !one.endsWith('*'))]
  }

  /** Symbols of other exchanges, keys of coins, tickers of stocks, and magic coins. */
  private otherNames(): readonly string[] {
    this.others ??= [...castNames(this.world, this.atMs), ...MAGIC_VALUES.map(magicOf)]
    return this.others
  }
}

const magicOf = ({ code }: { code: string }) => magicCoin(code)

function castNames(world: NamingWorld, atMs: number): string[] {
  const cast = world.cast({ atMs: tapeMs(atMs), shiftMs: 0, answers: DEFAULT_ANSWERS } as Moment)
  const { symbols = [], coinKeys = [], stockTickers = [] } = cast as Record<string, string[]>
  return [...symbols, ...coinKeys, ...stockTickers]
}
