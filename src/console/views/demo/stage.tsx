/** What of the market is looked at, as large as the screen allows. */

import { Panel } from '../../parts/panel.tsx'
import { go } from '../../shell/route.ts'
import type { StoryStep } from '../../story/player.ts'
import { BookLadder } from '../market/book-ladder.tsx'
import { CandleChart } from '../market/candle-chart.tsx'
import { candleInterval } from '../market/candle-intervals.ts'
import { CoinHead } from '../market/coin-head.tsx'
import { TradeTape } from '../market/trade-tape.tsx'
import { FallingLiquidations } from '../positions/falling-liquidations.tsx'
import { LiquidationHeatmap } from '../positions/liquidation-heatmap.tsx'
import { Events as WhaleEvents } from '../whales/view.tsx'

/** On a projector a minute should be seen to move. */
const INTERVAL = candleInterval('5s')

export function Stage({ coin, show }: { coin: string; show: StoryStep['show'] }) {
  const isLiquidations = show === 'liquidations'
  return (
    <div class={`stage show-${show}`}>
      <CoinHead coin={coin} onPick={(picked) => go('market', [picked])} />
      <Panel title={`${coin} · ${INTERVAL.name}`} class="candles" isFlush>
        <CandleChart coin={coin} interval={INTERVAL} />
      </Panel>
      {show !== 'chart' && (
        <div class="stage-side">
          {(show === 'all' || show === 'book') && <BookLadder key={`book ${coin}`} coin={coin} />}
          {(show === 'all' || show === 'trades' || show === 'whales') && <TradeTape coin={coin} />}
          {show === 'whales' && <WhaleEvents />}
          {isLiquidations && <FallingLiquidations coin={coin} />}
          {isLiquidations && <LiquidationHeatmap coin={coin} />}
        </div>
      )}
    </div>
  )
}
