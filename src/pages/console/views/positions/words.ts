import { wording } from '../../shell/words.ts'

export const say = wording({
  title: ['Positions', '持仓与清算'],
  about: [
    'Funding, open interest, long/short accounts, liquidations',
    '资金费率、持仓量、多空比与清算',
  ],
  funding: ['Hourly funding', '每小时资金费率'],
  interest: ['Open interest', '持仓量'],
  longShort: ['Long/short accounts', '多空账户比'],
  liquidated: ['Hourly liquidations', '每小时清算额'],
  longs: ['longs', '多头'],
  shorts: ['shorts', '空头'],
  heatmap: ['Liquidation heatmap', '清算热力图'],
  heatmapOf: [
    'Estimated liquidations of {coin} by price over a day',
    '{coin} 一天内按价格的预估清算分布',
  ],
  cycle: ['Positions opened in', '开仓时间'],
  falling: ['Live liquidations', '实时清算'],
  noLiquidations: ['None in the last day', '最近一天没有清算'],
  ofSpot: ['Spot pairs have no positions.', '现货没有此数据。'],
  time: ['Time', '时间'],
  trader: ['Trader', '交易者'],
  side: ['Side', '方向'],
  value: ['Value', '价值'],
  price: ['Price', '价格'],
  loss: ['PnL', '盈亏'],
  long: ['long', '多'],
  short: ['short', '空'],
  mostPerCell: ['up to {usd} per cell', '每格最多 {usd}'],
})
