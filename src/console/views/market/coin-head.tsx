/** Which coin is looked at, and its figures in a line. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useAsked } from '../../session/asking.ts'
import { era } from '../../session/era.ts'
import { dollarText, numberText, percentText, signClass } from '../../shell/formats.ts'
import { useShortcut } from '../../shell/keyboard.ts'
import { useCoinFigures } from './coin-figures.ts'
import { isPerpetual } from './coin-names.ts'
import { CoinPicker } from './coin-picker.tsx'
import { priceDecimals } from './price-steps.ts'
import { say } from './words.ts'

export interface CoinHeadProps {
  coin: string
  /** Address of the same view of another coin. */
  onPick(coin: string): void
  children?: ComponentChildren
}

export function CoinHead({ coin, onPick, children }: CoinHeadProps) {
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
          {coin} <span class="faint">{isPerpetual(coin) ? say('perpetual') : say('spot')}</span>
          <span aria-hidden="true"> ▾</span>
        </button>
      </h1>
      <Figures coin={coin} />
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

function Figures({ coin }: { coin: string }) {
  const { data } = useCoinFigures(coin)
  const { data: ticker } = useAsked(({ account }) => account.perpdex.ticker({ path: { coin } }), {
    of: [coin, era.value],
    everyMs: 1000,
  })
  if (data === null) return <dl class="figures" />
  const last = Number(ticker?.price ?? data.last)
  const digits = priceDecimals(last)
  const change = last / data.open - 1
  return (
    <dl class="figures">
      <Figure name={say('lastPrice')} isLarge value={numberText(last, digits)} />
      <Figure name={say('change24h')} value={percentText(change)} kind={signClass(change)} />
      <Figure name={say('high24h')} value={numberText(data.high, digits)} isMinor />
      <Figure name={say('low24h')} value={numberText(data.low, digits)} isMinor />
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
