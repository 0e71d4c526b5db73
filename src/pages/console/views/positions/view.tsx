/** Positions in a coin: funding, open interest, long and short, and liquidations. */

import { useMemo } from 'preact/hooks'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { TimeChart, type TimeSeries } from '../../parts/time-chart.tsx'
import { useFetched } from '../../session/asking.ts'
import { era, type Session } from '../../session/connection.ts'
import { dollarText, percentText } from '../../shell/formats.ts'
import type { View } from '../../shell/route.ts'
import { go, route } from '../../shell/route.ts'
import { isPerpetual, ListedCoin, pairKey } from '../market/coin-head.tsx'
import { FallingLiquidations, LiquidationHeatmap } from './liquidation-heatmap.tsx'
import { say } from './words.ts'

export const positionsView: View = {
  id: 'positions',
  group: 'market',
  title: () => say('title'),
  about: () => say('about'),
  icon: 'M3 16h3V9H3zM8.5 16h3V4h-3zM14 16h3v-5h-3z',
  component: Positions,
}

function Positions() {
  const coin = route.value.path[0] ?? 'BTC'
  return (
    <div class="positions">
      <ListedCoin coin={coin} onPick={(picked) => go('positions', [picked])}>
        {isPerpetual(coin) ? (
          <>
            <LiquidationHeatmap key={`heat ${coin}`} coin={coin} />
            <FallingLiquidations key={`fall ${coin}`} coin={coin} />
            <FundingPanel key={`funding ${coin}`} coin={coin} />
            <InterestPanel key={`interest ${coin}`} coin={coin} />
            <LongShortPanel key={`ratio ${coin}`} coin={coin} />
            <LiquidatedPanel key={`sums ${coin}`} coin={coin} />
          </>
        ) : (
          <Panel title={say('title')}>{say('ofSpot')}</Panel>
        )}
      </ListedCoin>
    </div>
  )
}

/** Four figures of a coin over time. */
const EVERY_MS = 5000

const FundingPanel = ({ coin }: { coin: string }) => (
  <HistoryPanel
    coin={coin}
    name="funding"
    load={fundingSeries}
    text={(value) => percentText(value, 4)}
  />
)

const InterestPanel = ({ coin }: { coin: string }) => (
  <HistoryPanel coin={coin} name="interest" load={interestSeries} text={dollarText} />
)

const LongShortPanel = ({ coin }: { coin: string }) => (
  <HistoryPanel
    coin={coin}
    name="longShort"
    load={longSeries}
    text={(value) => `${(value * 100).toFixed(1)}%`}
  />
)

const LiquidatedPanel = ({ coin }: { coin: string }) => (
  <HistoryPanel
    coin={coin}
    name="liquidated"
    load={liquidatedSeries}
    text={(value) => dollarText(Math.abs(value))}
    legend={<Legend />}
  />
)

const Legend = () => (
  <span class="legend">
    <span class="up">▲ {say('shorts')}</span> <span class="down">▼ {say('longs')}</span>
  </span>
)

interface HistoryPanelProps {
  coin: string
  name: 'funding' | 'interest' | 'longShort' | 'liquidated'
  load(session: Session, coin: string): Promise<TimeSeries[]>
  text(value: number): string
  legend?: preact.ComponentChildren
}

function HistoryPanel({ coin, name, load, text, legend }: HistoryPanelProps) {
  const requested = useFetched((session) => load(session, coin), {
    of: [coin, era.value],
    everyMs: EVERY_MS,
  })
  // A chart is redrawn on new data, not on each response.
  const key = JSON.stringify(requested.data)
  const series = useMemo(() => requested.data, [key])
  return (
    <Panel title={say(name)} class={name} isFlush tools={legend}>
      <Shown of={{ ...requested, data: series }} isEmpty={isEmpty}>
        {(found) => <TimeChart label={`${say(name)}: ${coin}`} series={found} text={text} />}
      </Shown>
    </Panel>
  )
}

const isEmpty = (series: TimeSeries[]) => series.every(({ points }) => points.length === 0)

async function fundingSeries({ account }: Session, coin: string): Promise<TimeSeries[]> {
  const symbol = pairKey(coin) ?? ''
  const rows = await account.futures.fundingRateHistory({
    query: { symbol, interval: '1h', limit: 7 * 24 },
  })
  const points = rows.map(({ time, close }) => ({ time: time / 1000, value: Number(close) }))
  return [{ kind: 'columns', color: 'up', points }]
}

async function interestSeries({ account }: Session, coin: string): Promise<TimeSeries[]> {
  const rows = await account.perpdex.openInterestHistory({
    path: { coin },
    query: { interval: '30d' },
  })
  const points = rows.map(({ time, totalPv }) => ({ time: time / 1000, value: Number(totalPv) }))
  return [{ kind: 'area', color: 'accent', points }]
}

async function longSeries({ account }: Session, coin: string): Promise<TimeSeries[]> {
  const { kline_data } = await account.indicator.records({
    query: { symbol: pairKey(coin) ?? '', indicator_key: 'lsur', period: 3600, size: 7 * 24 },
  })
  const points = longShares(kline_data)
  return [
    { kind: 'line', color: 'accent', points },
    { kind: 'line', color: 'faint', points: points.map((point) => ({ ...point, value: 0.5 })) },
  ]
}

async function liquidatedSeries({ account }: Session, coin: string): Promise<TimeSeries[]> {
  const rows = await account.perpdex.liquidationsHistory({
    query: { coin, interval: '1h', limit: 7 * 24 },
  })
  const hours = rows.map((row) => ({ ...row, time: Date.parse(row.startTime) / 1000 }))
  return [
    {
      kind: 'columns',
      color: 'up',
      points: hours.map(({ time, shortFilled }) => ({ time, value: Number(shortFilled) })),
    },
    {
      kind: 'columns',
      color: 'down',
      points: hours.map(({ time, longFilled }) => ({ time, value: -Number(longFilled) })),
    },
  ]
}

/** In either form: columns, or a row for each hour. */
function longShares(data: KlineData): { time: number; value: number }[] {
  if (Array.isArray(data))
    return data.map(({ time = 0, buyAccount }) => ({ time, value: Number(buyAccount) }))
  const { time = [], buyAccount = [] } = data
  return time.map((at, index) => ({ time: at, value: Number(buyAccount[index]) }))
}

type KlineData = Awaited<ReturnType<Session['account']['indicator']['records']>>['kline_data']
