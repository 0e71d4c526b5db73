/**
 * Joint moves of several instruments' prices and turnover, minute by minute: one common factor, one
 * for each sector and one for each instrument; volatility that clusters over minutes, hours and
 * days; jumps; turnover that follows volatility, the size of the move and the hour.
 */
import { MINUTE_MS } from '../../clock/instant.ts'
import type { RandomSource } from '../../random/random-source.ts'
import {
  evenLevelPath,
  expectedFactor,
  type LevelPath,
  levelPath,
  usualLevel,
} from './level-path.ts'
import {
  activityAt,
  bounded,
  HOUR_EXPONENT,
  MARKET_VOLATILITY,
  OWN_TURNOVER,
  OWN_VOLATILITY,
  type Trading,
  TURNOVER_BY_VOLATILITY,
  TURNOVER_TREND,
  turnoverByMoves,
} from './market-regimes.ts'

/** Parameters of an instrument's moves. */
export interface MarketTraits {
  /** Key of its random source, which makes its moves independent of other instruments. */
  coin: string
  /** Standard deviation of a day's logarithmic return. */
  dailyVolatility: number
  /** Correlation with the common factor and with the sector's. */
  marketShare: number
  sectorShare: number
  sector: string
  trading: Trading
}

/** An instrument's minutes, oldest first. */
export interface MinuteMoves {
  /** Logarithmic return of the minute. */
  returns: Float64Array
  /** Expected standard deviation of the return, which sets the minute's range. */
  sigma: Float64Array
  /** Turnover relative to the weekly mean. */
  turnover: Float64Array
}

const MINUTES_PER_DAY = 1440

const JUMPS_PER_DAY = 2.5
/**
 * Size in standard deviations of a usual minute. Relative to a wild market's own volatility jumps
 * are smaller, as news is about as large in calm hours.
 */
const JUMP = { size: 18, byVolatility: 0.5, halfLife: 7, reverting: 0.35, minutesMost: 150 }
const REVERTING_KEPT = 2 ** (-1 / 35)
const TAIL = 0.12

/** Draws one month; each instrument's moves are drawn when first read. */
export function monthOf(
  traits: readonly MarketTraits[],
  hours: ReadonlyMap<Trading, TradingHours>,
  minutes: number,
  random: RandomSource,
): (place: number) => MinuteMoves {
  const volatility = held(evenLevelPath(MARKET_VOLATILITY, minutes, random.fork('volatility')))
  const factors: Record<string, Float64Array> = {}
  const factor = (name: string): Float64Array => {
    factors[name] ??= shocks(volatility, JUMPS_PER_DAY, random.fork(`factor ${name}`))
    return factors[name]
  }
  const background = {
    volatility,
    common: expectedFactor(volatility, 2),
    level: usualLevel(volatility, TURNOVER_BY_VOLATILITY.market),
  }
  const drawn: MinuteMoves[] = []
  const draw = (one: MarketTraits) => {
    const shared = mixed(factor('all'), one.marketShare, factor(one.sector), one.sectorShare)
    const during = hours.get(one.trading) as TradingHours
    return movesOf(one, { ...background, shared }, during, random.fork(one.coin))
  }
  return (place) => {
    drawn[place] ??= draw(traits[place] as MarketTraits)
    return drawn[place]
  }
}

/** The common factor and its effect on an instrument. */
interface Background {
  volatility: LevelPath
  /** Expected volatility of the market and its effect on turnover, as logarithms. */
  common: Float64Array
  level: Float64Array
  shared: Float64Array
}

/** Expected activity and volatility of each minute by its hour. */
export interface TradingHours {
  activity: Float64Array
  volatility: Float64Array
}

/** Trading hours of the minutes up to `endMs`. */
export function hoursOf(trading: Trading, minutes: number, endMs: number): TradingHours {
  const hours = { activity: new Float64Array(minutes), volatility: new Float64Array(minutes) }
  for (let at = 0; at < minutes; at++) {
    const activity = activityAt(trading, endMs - (minutes - at) * MINUTE_MS)
    hours.activity[at] = activity
    hours.volatility[at] = activity ** HOUR_EXPONENT
  }
  return hours
}

function movesOf(
  traits: MarketTraits,
  { volatility, common, level, shared }: Background,
  hours: TradingHours,
  random: RandomSource,
): MinuteMoves {
  const { dailyVolatility, marketShare, sectorShare } = traits
  const minutes = shared.length
  const own = shocks(volatility, JUMPS_PER_DAY / 2, random.fork('shocks'))
  const ownVolatility = levelPath(OWN_VOLATILITY, minutes, random.fork('volatility'))
  const alone = expectedFactor(ownVolatility, 2)
  const usual = dailyVolatility / Math.sqrt(MINUTES_PER_DAY)
  const sharedVariance = marketShare ** 2 + sectorShare ** 2
  const ownPart = Math.sqrt(1 - sharedVariance)
  const [moves, sigma] = [new Float64Array(minutes), new Float64Array(minutes)]
  const returns = new Float64Array(minutes)
  for (let at = 0; at < minutes; at++) {
    const all = common[at] as number
    const ownSize = Math.sqrt(all) * (alone[at] as number) * ownPart
    const size = Math.sqrt(all * all * sharedVariance + ownSize * ownSize)
    const expected = usual * (hours.volatility[at] as number) * size
    const move = (all * (shared[at] as number) + ownSize * (own[at] as number)) / size
    moves[at] = move
    sigma[at] = expected
    returns[at] = expected * move
  }
  const levels = [
    level,
    usualLevel(ownVolatility, TURNOVER_BY_VOLATILITY.own),
    usualLevel(levelPath(OWN_TURNOVER, minutes, random.fork('turnover')), 1),
  ]
  const turnover = turnoverOf(moves, levels, hours.activity, random.fork('chance'))
  return { returns, sigma, turnover }
}

function mixed(
  market: Float64Array,
  marketShare: number,
  sector: Float64Array,
  sectorShare: number,
): Float64Array {
  const shocks = new Float64Array(market.length)
  for (let at = 0; at < shocks.length; at++)
    shocks[at] = marketShare * (market[at] as number) + sectorShare * (sector[at] as number)
  return shocks
}

/** The market's volatility with its large deviations compressed. */
function held({ level, variance }: LevelPath): LevelPath {
  const all = Array.from(level, (value, at) =>
    bounded({ level: value, variance: variance[at] as number }),
  )
  return {
    level: Float64Array.from(all, (one) => one.level),
    variance: Float64Array.from(all, (one) => one.variance),
  }
}

/** Standard draws with fat tails and occasional jumps. */
function shocks({ level }: LevelPath, jumpsPerDay: number, random: RandomSource): Float64Array {
  const [draws, widths] = [random.normals(level.length), random.normals(level.length)]
  for (let at = 0; at < draws.length; at++)
    draws[at] = (draws[at] as number) * Math.exp(TAIL * (widths[at] as number) - TAIL ** 2)
  const odds = jumpsPerDay / MINUTES_PER_DAY
  // Jumps are rare, so the waiting time to the next one is drawn.
  const wait = () => 1 + Math.floor(Math.log(1 - random.unit()) / Math.log(1 - odds))
  for (let at = wait() - 1; at < draws.length; at += wait()) {
    const calmer = Math.exp(-JUMP.byVolatility * (level[at] as number))
    const size = JUMP.size * (0.6 + 0.8 * random.unit()) * calmer
    jump(draws, at, random.chance(0.5) ? size : -size, random)
  }
  return draws
}

/** News is taken in over some minutes; a part of the move reverts within an hour. */
function jump(draws: Float64Array, from: number, size: number, random: RandomSource): void {
  const kept = 2 ** (-1 / (JUMP.halfLife * (0.5 + random.unit())))
  const to = Math.min(draws.length, from + JUMP.minutesMost)
  let part = size * (1 + JUMP.reverting) * (1 - kept)
  let back = size * JUMP.reverting * (1 - REVERTING_KEPT)
  for (let at = from; at < to; at++) {
    draws[at] = (draws[at] as number) + part * (0.4 + 1.2 * random.unit()) - back
    part *= kept
    back *= REVERTING_KEPT
  }
}

/** Turnover of each minute from moves in standard deviations, and levels, as logarithms. */
function turnoverOf(
  moves: Float64Array,
  levels: readonly Float64Array[],
  activity: Float64Array,
  random: RandomSource,
): Float64Array {
  const turnover = random.normals(moves.length)
  for (let at = 0; at < turnover.length; at++)
    turnover[at] = TURNOVER_NOISE * (turnover[at] as number) - TURNOVER_NOISE ** 2 / 2
  for (const level of levels)
    for (let at = 0; at < turnover.length; at++)
      turnover[at] = (turnover[at] as number) + (level[at] as number)
  const trendKept = 2 ** (-1 / TURNOVER_TREND)
  const trendMoved = Math.sqrt(1 - trendKept ** 2)
  let trend = 0
  for (let at = 0; at < turnover.length; at++) {
    const move = moves[at] as number
    trend = trend * trendKept + move * trendMoved
    const drawn = (activity[at] as number) * turnoverByMoves(move, trend)
    turnover[at] = drawn * Math.exp(turnover[at] as number)
  }
  return turnover
}

const TURNOVER_NOISE = 0.95
