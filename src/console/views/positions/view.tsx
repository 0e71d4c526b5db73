/** Who holds what of a coin: funding, open interest, long and short, and what is liquidated. */
import { Panel } from '../../parts/panel.tsx'
import { go, route } from '../../shell/route.ts'
import type { View } from '../../shell/view.ts'
import { CoinHead } from '../market/coin-head.tsx'
import { isPerpetual } from '../market/coin-names.ts'
import { FallingLiquidations } from './falling-liquidations.tsx'
import { FundingPanel, InterestPanel, LiquidatedPanel, LongShortPanel } from './history-panels.tsx'
import { LiquidationHeatmap } from './liquidation-heatmap.tsx'
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
      <CoinHead coin={coin} onPick={(picked) => go('positions', [picked])} />
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
    </div>
  )
}
