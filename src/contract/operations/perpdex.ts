/** Every declaration in perpdex/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import type { Operation } from '../operation.ts'
import { accumulatedTakerDelta } from './perpdex/accumulated-taker-delta.ts'
import { activeOrderStats } from './perpdex/active-order-stats.ts'
import { addrStat } from './perpdex/addr-stat.ts'
import { batchAddrStat } from './perpdex/batch-addr-stat.ts'
import { batchMaxDrawdown } from './perpdex/batch-max-drawdown.ts'
import { batchNetFlow } from './perpdex/batch-net-flow.ts'
import { batchPnls } from './perpdex/batch-pnls.ts'
import { bestTrades } from './perpdex/best-trades.ts'
import { completedPositionExecutions } from './perpdex/completed-position-executions.ts'
import { completedPositionHistory } from './perpdex/completed-position-history.ts'
import { completedPositionPnl } from './perpdex/completed-position-pnl.ts'
import { completedTradesByTime } from './perpdex/completed-trades-by-time.ts'
import { completedTrades } from './perpdex/completed-trades.ts'
import { currentPositionExecutions } from './perpdex/current-position-executions.ts'
import { currentPositionHistory } from './perpdex/current-position-history.ts'
import { currentPositionPnl } from './perpdex/current-position-pnl.ts'
import { filledOrderById } from './perpdex/filled-order-by-id.ts'
import { filledOrdersLatest } from './perpdex/filled-orders-latest.ts'
import { fillsOfAddress } from './perpdex/fills-of-address.ts'
import { fillsOfBuilder } from './perpdex/fills-of-builder.ts'
import { fillsOfOrder } from './perpdex/fills-of-order.ts'
import { fillsOfTwap } from './perpdex/fills-of-twap.ts'
import { info } from './perpdex/info.ts'
import { klinesWithTakerVol } from './perpdex/klines-with-taker-vol.ts'
import { liquidationsEstimatedHeatmap } from './perpdex/liquidations-estimated-heatmap.ts'
import { liquidationsHistory } from './perpdex/liquidations-history.ts'
import { liquidationsMarketHeatmap } from './perpdex/liquidations-market-heatmap.ts'
import { liquidationsStatByCoin } from './perpdex/liquidations-stat-by-coin.ts'
import { liquidationsStat } from './perpdex/liquidations-stat.ts'
import { liquidationsTopPositions } from './perpdex/liquidations-top-positions.ts'
import { maxDrawdown } from './perpdex/max-drawdown.ts'
import { netFlow } from './perpdex/net-flow.ts'
import { openInterestHistory } from './perpdex/open-interest-history.ts'
import { openInterestSummary } from './perpdex/open-interest-summary.ts'
import { openInterestTopCoins } from './perpdex/open-interest-top-coins.ts'
import { orderById } from './perpdex/order-by-id.ts'
import { orderbookSummaries } from './perpdex/orderbook-summaries.ts'
import { ordersLatest } from './perpdex/orders-latest.ts'
import { performanceByCoin } from './perpdex/performance-by-coin.ts'
import { pnls } from './perpdex/pnls.ts'
import { portfolio } from './perpdex/portfolio.ts'
import { smartFind } from './perpdex/smart-find.ts'
import { ticker } from './perpdex/ticker.ts'
import { tickers } from './perpdex/tickers.ts'
import { topOpenOrders } from './perpdex/top-open-orders.ts'
import { topTrades } from './perpdex/top-trades.ts'
import { tradersAccounts } from './perpdex/traders-accounts.ts'
import { tradersClearinghouseState } from './perpdex/traders-clearinghouse-state.ts'
import { tradersDiscoverHistory } from './perpdex/traders-discover-history.ts'
import { tradersDiscover } from './perpdex/traders-discover.ts'
import { tradersSpotClearinghouseState } from './perpdex/traders-spot-clearinghouse-state.ts'
import { tradersStatistics } from './perpdex/traders-statistics.ts'
import { twapStatesLatest } from './perpdex/twap-states-latest.ts'
import { twapsExecutionWall } from './perpdex/twaps-execution-wall.ts'
import { twapsTopImpact } from './perpdex/twaps-top-impact.ts'
import { whaleDirections } from './perpdex/whale-directions.ts'
import { whaleEvents } from './perpdex/whale-events.ts'
import { whaleLongRatios } from './perpdex/whale-long-ratios.ts'
import { whalePositions } from './perpdex/whale-positions.ts'

export const PERPDEX = {
  accumulatedTakerDelta,
  activeOrderStats,
  addrStat,
  batchAddrStat,
  batchMaxDrawdown,
  batchNetFlow,
  batchPnls,
  bestTrades,
  completedPositionExecutions,
  completedPositionHistory,
  completedPositionPnl,
  completedTradesByTime,
  completedTrades,
  currentPositionExecutions,
  currentPositionHistory,
  currentPositionPnl,
  filledOrderById,
  filledOrdersLatest,
  fillsOfAddress,
  fillsOfBuilder,
  fillsOfOrder,
  fillsOfTwap,
  info,
  klinesWithTakerVol,
  liquidationsEstimatedHeatmap,
  liquidationsHistory,
  liquidationsMarketHeatmap,
  liquidationsStatByCoin,
  liquidationsStat,
  liquidationsTopPositions,
  maxDrawdown,
  netFlow,
  openInterestHistory,
  openInterestSummary,
  openInterestTopCoins,
  orderById,
  orderbookSummaries,
  ordersLatest,
  performanceByCoin,
  pnls,
  portfolio,
  smartFind,
  ticker,
  tickers,
  topOpenOrders,
  topTrades,
  tradersAccounts,
  tradersClearinghouseState,
  tradersDiscoverHistory,
  tradersDiscover,
  tradersSpotClearinghouseState,
  tradersStatistics,
  twapStatesLatest,
  twapsExecutionWall,
  twapsTopImpact,
  whaleDirections,
  whaleEvents,
  whaleLongRatios,
  whalePositions,
} satisfies Record<string, Operation>
