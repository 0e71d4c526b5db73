/** The interface of this module. */

export type { RecordedGap } from './bars/recorded-gap.ts'
export { type Silence, SilenceLog, type Silences } from './bars/silence-log.ts'

export { castFile, KEPT_EVENTS } from './casting/cast-file.ts'
export type { HistoryInput, RecordedHistory } from './casting/history-input.ts'

export { isPlaceOfCoin, nameAtPlace } from './events/coin-places.ts'
export { conflictOf, eventText } from './events/conflicts.ts'
export type { CoinStanding } from './events/event-kind.ts'
export { readEvent } from './events/event-reading.ts'
export {
  coinOf,
  EVENT_KINDS,
  eventEndMs,
  type MarketEvent,
  type TimedMarketEvent,
} from './events/market-event.ts'
export { type PlotEvent, PlotField, plotFor, readPlot, readPlotYaml } from './events/plot.ts'
export { Growth } from './growth/growth.ts'
export { GROWTH_VERSION } from './growth/growth-version.ts'
export { beginLine } from './growth/line-file.ts'
export { openLineFile } from './growth/line-opening.ts'
export type { LineOrder } from './growth/line-order.ts'

export {
  eventChunk,
  eventsApart,
  prepareChunk,
  preparePlayback,
  timelineOf,
  warmTimeline,
} from './playback/timeline.ts'

export { readGrowingTables } from './queries/perpdex/growing-tables.ts'

export { rehearseSearch, warmSearches } from './queries/perpdex/traders/search-warming.ts'

export { warmQuotes } from './rows/place-quotes.ts'

export { PERSONA_NAMES, PERSONAS, type Persona } from './schema/personas.ts'

export type { InstrumentProfile } from './synth/instrument-profile.ts'
export { MOOD_NAMES, type MoodName } from './synth/mood.ts'
export { priceGrid, tickBp } from './synth/price-grid.ts'
export { atPrice } from './synth/profile-price.ts'
export { type BookLevel, RATE_DECIMALS, type SynthEvent } from './synth/synth-event.ts'
export { newSynthesiser, Synthesiser, type SynthesiserState } from './synth/synthesiser.ts'

export { WasmDatabase } from './wasm/wasm-database.ts'
export type { WasmFiles } from './wasm/wasm-files.ts'
export { loadWasmSqlite } from './wasm/wasm-sqlite.ts'

export { lastUpTo } from './world/binary-search.ts'
export { castOf } from './world/cast.ts'
export { factsOf } from './world/facts.ts'
export { openUngrown } from './world/grown-world.ts'
export { type CoinChange, coinChange, namesOfCoin, standingsAt } from './world/market-standing.ts'
export { growWorld } from './world/per-world.ts'
export { completeWorld } from './world/pocket.ts'
export { strippedBytes } from './world/pocket-file.ts'
export { type World, worldOf } from './world/world.ts'
export { openWorld } from './world/world-file.ts'
export { tryLockWorld } from './world/world-lock.ts'
