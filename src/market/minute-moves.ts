/**
 * How prices and turnover of several instruments move together, minute by minute: one factor that
 * all share, one of each sector and one of each instrument's own; volatility that clusters over
 * minutes, hours and days at once; jumps; turnover that goes with volatility, with the size of the
 * move and with the hour.
 */
import type { RandomSource } from '../random/random-source.ts'
import { activityAt, type Trading } from './activity-hours.ts'
import {
  expectedFactor,
  type LevelPath,
  levelPath,
  type RevertingPart,
  usualFactor,
} from './level-path.ts'

/** What is known of an instrument before it moves. */
export interface MarketTraits {
  /** Names its random numbers, so that other instruments do not change them. */
  coin: string
  /** Standard deviation of a day's logarithmic return. */
  dailyVolatility: number
  /** Correlation with the factor that all share, and with that of the sector. */
  marketShare: number
  sectorShare: number
  sector: string
  trading: Trading
}

/** An instrument's minutes, oldest first. */
export interface MinuteMoves {
  /** Logarithmic return of the minute. */
  returns: Float64Array
  /** Its standard deviation as it was expected, which tells how wide the minute's range is. */
  sigma: Float64Array
  /** Turnover against the mean of a week. */
  turnover: Float64Array
}

const MINUTE_MS = 60_000
const MINUTES_PER_DAY = 1440

const MARKET_VOLATILITY: readonly RevertingPart[] = [
  { sd: 0.25, halfLife: 10 },
  { sd: 0.44, halfLife: 110 },
  { sd: 0.56, halfLife: 1800 },
  { sd: 0.12, halfLife: 14_400 },
]
/** However wild, the logarithm of the volatility comes no nearer to this; nor however calm. */
const LEVEL_MOST = 1.8
const OWN_VOLATILITY: readonly RevertingPart[] = [
  { sd: 0.28, halfLife: 90 },
  { sd: 0.32, halfLife: 1500 },
]
const OWN_TURNOVER: readonly RevertingPart[] = [
  { sd: 0.15, halfLife: 20 },
  { sd: 0.06, halfLife: 360 },
  { sd: 0.03, halfLife: 4000 },
]
/** How turnover follows the market's volatility and the instrument's own. */
const BY_VOLATILITY = { market: 0.2, own: 0.15 }
/** Volatility follows the hour less than turnover does. */
const HOUR_EXPONENT = 0.75
const JUMPS_PER_DAY = 2.5
/**
 * In standard deviations of a usual minute, and how much smaller against its own a jump is where
 * the market is wild: news is about as large in calm hours.
 */
const JUMP = { size: 15, byVolatility: 0.5 }
const TAIL = 0.25
/**
 * How turnover follows moves, in variances: that of the minute, and those before it, which are
 * forgotten within so many minutes. A move beyond `most` draws no more.
 */
const BY_MOVE = {
  floor: 0.7,
  now: 0.15,
  before: 0.45,
  halfLife: 30,
  most: 20,
  exponent: 0.38,
  mean: 1.05,
}
const TURNOVER_NOISE = 0.4

/**
 * The minutes up to `endMs`, at which volatility and turnover are as usual.
 *
 * Means over all seeds are those of the traits: a day's variance, and a turnover of one.
 */
export function minuteMoves(
  traits: readonly MarketTraits[],
  minutes: number,
  endMs: number,
  random: RandomSource,
): MinuteMoves[] {
  const volatility = held(levelPath(MARKET_VOLATILITY, minutes, random.fork('volatility')))
  const factor = (name: string) => shocks(volatility, JUMPS_PER_DAY, random.fork(`factor ${name}`))
  const sectors = new Map(traits.map(({ sector }) => [sector, factor(sector)]))
  const market = factor('all')
  return traits.map((one) => {
    const sector = sectors.get(one.sector) as Float64Array
    const shared = mixed(market, one.marketShare, sector, one.sectorShare)
    return movesOf(one, volatility, shared, endMs, random.fork(one.coin))
  })
}

function movesOf(
  traits: MarketTraits,
  volatility: LevelPath,
  shared: Float64Array,
  endMs: number,
  random: RandomSource,
): MinuteMoves {
  const { dailyVolatility, marketShare, sectorShare, trading } = traits
  const minutes = shared.length
  const own = shocks(volatility, JUMPS_PER_DAY / 2, random.fork('shocks'))
  const common = expectedFactor(volatility, 2)
  const ownVolatility = levelPath(OWN_VOLATILITY, minutes, random.fork('volatility'))
  const alone = expectedFactor(ownVolatility, 2)
  const byLevel = usualFactor(volatility, BY_VOLATILITY.market)
  const byOwnLevel = usualFactor(ownVolatility, BY_VOLATILITY.own)
  const byOwn = usualFactor(levelPath(OWN_TURNOVER, minutes, random.fork('turnover')), 1)
  const chance = random.fork('chance')
  const usual = dailyVolatility / Math.sqrt(MINUTES_PER_DAY)
  const sharedVariance = marketShare ** 2 + sectorShare ** 2
  const column = () => new Float64Array(minutes)
  const [returns, sigma, turnover] = [column(), column(), column()]
  const trendKept = 2 ** (-1 / BY_MOVE.halfLife)
  let trend = 0
  for (const [at, shock] of own.entries()) {
    const activity = activityAt(trading, endMs - (minutes - at) * MINUTE_MS)
    const expected = usual * activity ** HOUR_EXPONENT
    const [all, mine] = [common[at] as number, alone[at] as number]
    const ownSize = Math.sqrt(all) * mine * Math.sqrt(1 - sharedVariance)
    const size = Math.sqrt(all ** 2 * sharedVariance + ownSize ** 2)
    const move = (all * (shared[at] as number) + ownSize * shock) / size
    sigma[at] = expected * size
    returns[at] = expected * size * move
    const noise = Math.exp(TURNOVER_NOISE * chance.normal() - TURNOVER_NOISE ** 2 / 2)
    trend = trend * trendKept + move * Math.sqrt(1 - trendKept ** 2)
    const level = (byLevel[at] as number) * (byOwnLevel[at] as number) * (byOwn[at] as number)
    turnover[at] = activity * level * drawnBy(move, trend) * noise
  }
  return { returns, sigma, turnover }
}

/** Turnover for a move of the minute and one of the last hour, in standard deviations. */
function drawnBy(move: number, trend: number): number {
  const { floor, now, before, most, exponent, mean } = BY_MOVE
  const variance = now * Math.min(most, move ** 2) + before * Math.min(most, trend ** 2)
  return (floor + variance) ** exponent / mean
}

function mixed(
  market: Float64Array,
  marketShare: number,
  sector: Float64Array,
  sectorShare: number,
): Float64Array {
  return market.map((shock, at) => marketShare * shock + sectorShare * (sector[at] as number))
}

/** A path of which what strays far strays less. */
function held({ level, variance }: LevelPath): LevelPath {
  return {
    level: level.map((value) => LEVEL_MOST * Math.tanh(value / LEVEL_MOST)),
    // So that the mean of the square of the volatility is what it would be (fitted).
    variance: variance.map((one) => one / (1 + (1.2 * one) / LEVEL_MOST ** 2)),
  }
}

/** Standard draws with fat tails and now and then a jump. */
function shocks({ level }: LevelPath, jumpsPerDay: number, random: RandomSource): Float64Array {
  return level.map((volatility) => {
    const draw = random.normal() * Math.exp(TAIL * random.normal() - TAIL ** 2)
    const isJump = random.chance(jumpsPerDay / MINUTES_PER_DAY)
    if (!isJump) return draw
    const size = JUMP.size * (0.6 + 0.8 * random.unit()) * Math.exp(-JUMP.byVolatility * volatility)
    return random.chance(0.5) ? draw + size : draw - size
  })
}
