import { pow10 } from '../../decimal/scaled.ts'
import type { CoinStanding } from '../../market/events/event-kind.ts'
import type { MarketEvent } from '../../market/events/market-event.ts'
import { type PlotEvent, readPlotYaml } from '../../market/events/plot.ts'
import type { BookLevel } from '../../market/synth/synth-event.ts'
import { Synthesiser } from '../../market/synth/synthesiser.ts'
import { UserError } from '../../platform/user-error.ts'
import { INSTRUMENT_PROFILES } from './instrument-profiles.ts'
import { type SynthOptions, synthesisedMarket } from './synthesis.ts'

/** How much larger the mean order of a taker is than the median one. */
const MEAN_TO_MEDIAN = 3
const DAY_S = 86_400

/**
 * The plot of a file for a market that is synthesised; a UserError names file, line and field of
 * what cannot be.
 */
export function plotOf(
  file: string,
  text: string,
  options: SynthOptions,
): PlotEvent<MarketEvent>[] {
  const { minutes = 20 } = options
  const market = { standings: standingsOf(options), lengthMs: minutes * 60_000 }
  const plot = readPlotYaml(file, text, market)
  for (const { event } of plot)
    if (event.kind === 'news')
      throw new UserError(`${file}: a tape has no news: tell them to a server, or in a scenario`)
  return plot
}

/** What stands in each market at its beginning. */
function standingsOf(options: SynthOptions): CoinStanding[] {
  const books = new Map(
    new Synthesiser(synthesisedMarket(options))
      .step()
      .flatMap((event) => (event.kind === 'book' ? [[event.coin, event]] : [])),
  )
  const { profiles = INSTRUMENT_PROFILES } = options
  return profiles.map(
    ({ coin, kind, pxDecimals, szDecimals, interestUsd, ordersPerS, orderUsd }) => {
      const unit = pow10(pxDecimals) * pow10(szDecimals)
      const usd = (levels: readonly BookLevel[] = []) =>
        levels.reduce((sum, { px, lots }) => sum + (px * lots) / unit, 0)
      const book = books.get(coin)
      return {
        coin,
        kind,
        openInterestUsd: interestUsd,
        bidUsd: usd(book?.bids),
        askUsd: usd(book?.asks),
        dayVolumeUsd: ordersPerS * orderUsd * MEAN_TO_MEDIAN * DAY_S,
      }
    },
  )
}
