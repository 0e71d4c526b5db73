/** The selected coin, and its figures in a line. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { nearestName } from '../../../../contract/fields/nearest-name.ts'
import { Finder } from '../../parts/finder.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { type Fetched, useFetched } from '../../session/asking.ts'
import { era, type Session } from '../../session/connection.ts'
import { dollarText, numberText, percentText, signClass } from '../../shell/formats.ts'
import { useShortcut } from '../../shell/menu.ts'
import { rangeWith } from './candle-window.ts'
import { say } from './words.ts'

export interface CoinHeadProps {
  coin: string
  /** Whether the market has it: without it there are no figures. */
  isListed?: boolean
  /** Navigates to the same view of another coin. */
  onPick(coin: string): void
  children?: ComponentChildren
}

export function CoinHead({ coin, isListed = true, onPick, children }: CoinHeadProps) {
  const isOpen = useSignal(false)
  useShortcut(
    'c',
    () => say('pickCoin'),
    () => {
      isOpen.value = true
    },
  )
  return (
    <header class="coin-head">
      <h1>
        <button
          type="button"
          class="coin-button"
          aria-haspopup="dialog"
          onClick={() => {
            isOpen.value = true
          }}
        >
          {coin}{' '}
          {isListed && (
            <span class="faint">{isPerpetual(coin) ? say('perpetual') : say('spot')}</span>
          )}
          <span aria-hidden="true"> ▾</span>
        </button>
      </h1>
      {isListed && <Figures coin={coin} />}
      {children}
      {isOpen.value && (
        <CoinPicker
          onPick={onPick}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </header>
  )
}

/** A coin's header and what is below it; for a coin not in the market, the nearest one to it. */
export function ListedCoin({ coin, onPick, children }: CoinHeadProps) {
  const { data, isLoading } = useFetched(({ account }) => account.perpdex.tickers(), {
    of: [era.value],
    everyMs: LISTED_EVERY_MS,
  })
  const listed = (data ?? []).map((one) => one.coin)
  // Nothing is requested of a coin before the list is there, unless that fails.
  const isListed = data === null ? !isLoading : listed.includes(coin)
  return (
    <>
      <CoinHead coin={coin} isListed={isListed} onPick={onPick} />
      {isListed && children}
      {data !== null && !isListed && <NoCoin coin={coin} listed={listed} onPick={onPick} />}
    </>
  )
}

/** A coin may be listed meanwhile. */
const LISTED_EVERY_MS = 5000

interface NoCoinProps {
  coin: string
  listed: readonly string[]
  onPick(coin: string): void
}

/** In place of everything about a coin that the market does not have. */
function NoCoin({ coin, listed, onPick }: NoCoinProps) {
  const near = nearestName(coin, listed)
  return (
    <Panel title={say('noCoin')}>
      <p class="note">{say('noCoinAbout', { coin: coin.slice(0, 50), count: listed.length })}</p>
      {near !== undefined && (
        <p class="note">
          <button type="button" onClick={() => onPick(near)}>
            {say('didYouMean', { coin: near })}
          </button>
        </p>
      )}
    </Panel>
  )
}

function Figures({ coin }: { coin: string }) {
  const { data } = useCoinFigures(coin)
  const { data: ticker } = useFetched(({ account }) => account.perpdex.ticker({ path: { coin } }), {
    of: [coin, era.value],
    everyMs: 1000,
  })
  if (data === null) return <dl class="figures" />
  const last = Number(ticker?.price ?? data.last)
  const digits = priceDecimals(last)
  // The price is newer than the candles.
  const { high, low } = rangeWith(data, last)
  const change = last / data.open - 1
  return (
    <dl class="figures">
      <Figure name={say('lastPrice')} isLarge value={numberText(last, digits)} />
      <Figure name={say('change24h')} value={percentText(change)} kind={signClass(change)} />
      <Figure name={say('high24h')} value={numberText(high, digits)} isMinor />
      <Figure name={say('low24h')} value={numberText(low, digits)} isMinor />
      <Figure name={say('turnover24h')} value={dollarText(data.turnoverUsd)} />
      {data.funding !== null && (
        <Figure
          name={say('fundingRate')}
          value={percentText(data.funding, 4)}
          kind={signClass(data.funding)}
        />
      )}
      {data.openInterestUsd !== null && Number.isFinite(data.openInterestUsd) && (
        <Figure name={say('openInterest')} value={dollarText(data.openInterestUsd)} />
      )}
    </dl>
  )
}

interface FigureProps {
  name: string
  value: string
  kind?: string
  isLarge?: boolean
  isMinor?: boolean
}

function Figure({ name, value, kind = '', isLarge, isMinor }: FigureProps) {
  return (
    <div class={isMinor ? 'minor' : undefined}>
      <dt>{name}</dt>
      <dd class={`${kind} ${isLarge ? 'large' : ''}`.trim() || undefined}>{value}</dd>
    </div>
  )
}

/** Figures in a coin view's header: day, funding and open interest. */
interface CoinFigures {
  /** Over 24 hours. */
  open: number
  high: number
  low: number
  last: number
  turnoverUsd: number
  /** Hourly rate, a fraction; null for spot. */
  funding: number | null
  /** Null for spot. */
  openInterestUsd: number | null
}

/** Polled every few seconds. */
const useCoinFigures = (coin: string): Fetched<CoinFigures> =>
  useFetched((session) => coinFigures(session, coin), { of: [coin, era.value], everyMs: 4000 })

/**
 * Candles of five minutes: the newest has only begun, and 24 hourly ones could lack most of one.
 */
const DAY = 24 * 12

async function coinFigures({ account }: Session, coin: string): Promise<CoinFigures> {
  const symbol = pairKey(coin)
  const [candles, funding, interest] = await Promise.all([
    account.perpdex.klinesWithTakerVol({ path: { coin, interval: '5m' }, query: { limit: DAY } }),
    symbol === null
      ? []
      : account.futures.fundingRateHistory({ query: { symbol, interval: '1h', limit: 1 } }),
    isPerpetual(coin) ? account.perpdex.openInterestTopCoins({ query: { limit: 100 } }) : [],
  ])
  return {
    open: Number(candles[0]?.open),
    high: Math.max(...candles.map(({ high }) => Number(high))),
    low: Math.min(...candles.map(({ low }) => Number(low))),
    last: Number(candles.at(-1)?.close),
    turnoverUsd: candles.reduce((sum, { amount }) => sum + Number(amount), 0),
    funding: funding[0] === undefined ? null : Number(funding[0].close),
    openInterestUsd: Number(interest.find((one) => one.coin === coin)?.totalPv ?? Number.NaN),
  }
}

/** Finds a coin by letters of its name. */
interface CoinPickerProps {
  onPick(coin: string): void
  onClose(): void
}

function CoinPicker({ onPick, onClose }: CoinPickerProps) {
  const coins = useFetched(coinRows, { everyMs: 3000 })
  const find = (typed: string) =>
    (coins.data ?? []).filter(({ coin, names }) =>
      `${coin} ${names}`.toLowerCase().includes(typed.trim().toLowerCase()),
    )
  return (
    <Finder
      title={say('pickCoin')}
      hint={say('searchCoin')}
      find={find}
      keyOf={({ coin }) => coin}
      option={coinOption}
      optionClass="coin-option"
      around={(list) => <Shown of={coins}>{list}</Shown>}
      onPick={({ coin }) => onPick(coin)}
      onClose={onClose}
    />
  )
}

const coinOption = ({ coin, names, price, change }: CoinRow) => (
  <>
    <span>
      {coin} <span class="faint">{names}</span>
    </span>
    <span class="number">{numberText(price)}</span>
    <span class={`number ${signClass(change ?? 0)}`}>
      {change === null ? '' : percentText(change)}
    </span>
  </>
)

interface CoinRow {
  coin: string
  names: string
  price: string
  /** Over 24 hours, a fraction; null where the list of coins does not have it. */
  change: number | null
}

async function coinRows({ account }: Session): Promise<CoinRow[]> {
  const [tickers, list] = await Promise.all([account.perpdex.tickers(), account.coin.list()])
  const keys = list.map(({ coin_key }) => coin_key).slice(0, 100)
  const figures = await account.coin.ticker({ query: { coin_list: keys.join(',') } })
  return tickers.map(({ coin, price }) => {
    const known = list.find(({ show }) => show === coin)
    const figure = figures.find(({ coin_key }) => coin_key === known?.coin_key)
    return {
      coin,
      price,
      names: known ? `${known.en_name} ${known.cn_name}` : '',
      change: figure === undefined ? null : Number(figure.degree_24h_usd) / 100,
    }
  })
}

// Kind of a coin by its name.

/** Whether it is a perpetual: a spot pair has a slash or a number. */
export const isPerpetual = (coin: string): boolean => !/[/@]/.test(coin)

/** Key of its pair in all-exchange endpoints, `btcswapusdc:hl`; null for spot. */
export function pairKey(coin: string): string | null {
  if (!isPerpetual(coin)) return null
  return `${coin.replace(/^.*:/, '').toLowerCase()}swapusdc:hl`
}

// Precision of prices.

/** Five significant digits, as on the venue. */
export const priceDecimals = (price: number): number =>
  price > 0 ? Math.min(8, Math.max(0, 4 - Math.floor(Math.log10(price)))) : 2

/** The same for a chart. */
export function precisionOf(price: number) {
  const precision = priceDecimals(price)
  const formatter = (shown: number) => numberText(shown, precision)
  return { type: 'custom' as const, formatter, minMove: 10 ** -precision }
}

/** The next of 1, 2, 5, 10, 20, … from a length up, as steps of a price scale. */
export function roundStep(least: number): number {
  const decade = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((one) => one * decade >= least) ?? 10) * decade
}
