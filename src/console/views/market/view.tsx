/** A coin: candles, book and trades, live. */
import { Choice } from '../../parts/choice.tsx'
import { Gate } from '../../parts/gate.tsx'
import { ICONS } from '../../parts/icons.ts'
import { Panel } from '../../parts/panel.tsx'
import { useCommands } from '../../shell/commands.ts'
import { useShortcut } from '../../shell/keyboard.ts'
import { changeQuery, go, route } from '../../shell/route.ts'
import type { View } from '../../shell/view.ts'
import { DriveKeys } from '../drive/drive-keys.ts'
import { BookLadder } from './book-ladder.tsx'
import { CandleChart } from './candle-chart.tsx'
import { CANDLE_INTERVALS, candleInterval } from './candle-intervals.ts'
import { CoinHead } from './coin-head.tsx'
import { DepthCurve } from './depth-curve.tsx'
import { TradeTape } from './trade-tape.tsx'
import { say } from './words.ts'

export const marketView: View = {
  id: 'market',
  group: 'market',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.chart,
  component: Market,
}

const USUAL_COIN = 'BTC'

function Market() {
  const { path, query } = route.value
  const coin = path[0] ?? USUAL_COIN
  const interval = candleInterval(query.interval)
  const pick = (name: string) => changeQuery({ interval: name })
  useIntervalKeys(interval.name, pick)
  const tools = (
    <Choice
      label={say('interval')}
      value={interval.name}
      options={CANDLE_INTERVALS.map(({ name }) => ({ value: name as string, text: name }))}
      onPick={pick}
    />
  )
  return (
    <div class="market">
      <Gate>
        <DriveKeys />
      </Gate>
      <CoinHead
        coin={coin}
        onPick={(picked) => go('market', [picked], { interval: query.interval })}
      />
      <Panel title={say('candles')} class="candles" tools={tools} isFlush>
        <CandleChart coin={coin} interval={interval} />
      </Panel>
      <BookLadder key={`book ${coin}`} coin={coin} />
      <TradeTape coin={coin} />
      <DepthCurve key={`depth ${coin}`} coin={coin} />
    </div>
  )
}

function useIntervalKeys(name: string, pick: (name: string) => void): void {
  const at = CANDLE_INTERVALS.findIndex((one) => one.name === name)
  const move = (by: number) => {
    const next = CANDLE_INTERVALS[at + by]
    if (next) pick(next.name)
  }
  useShortcut(
    ']',
    () => say('nextInterval'),
    () => move(1),
  )
  useShortcut(
    '[',
    () => say('lastInterval'),
    () => move(-1),
  )
  useCommands(
    () =>
      CANDLE_INTERVALS.map((one) => ({
        title: `${say('candles')} ${one.name}`,
        run: () => pick(one.name),
      })),
    [],
  )
}
