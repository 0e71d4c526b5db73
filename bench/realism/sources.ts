/** Sources of the expected ranges, by the letters in the table. */
export const SOURCES = {
  a:
    'R. Cont, *Empirical properties of asset returns: stylized facts and statistical issues*, ' +
    'Quantitative Finance 1 (2001) 223-236',
  b:
    'arXiv [2402.11930](https://arxiv.org/abs/2402.11930), stylised facts of bitcoin at high ' +
    'frequency',
  c:
    'S. El Karmi, *A Deterministic Limit Order Book Simulator with Hawkes-Driven Order Flow*, ' +
    'arXiv [2510.08085](https://arxiv.org/abs/2510.08085); K. Jain and others, *Limit Order Book ' +
    'Dynamics and Order Size Modelling Using Compound Hawkes Process*, arXiv ' +
    '[2312.08927](https://arxiv.org/abs/2312.08927)',
  d: "the perpetual venue's documentation: *Funding*, *Liquidations*, *TWAP*",
  e:
    'Amberdata, [How $3.21B vanished in 60 seconds]' +
    '(https://blog.amberdata.io/how-3.21b-vanished-in-60-seconds-october-2025-crypto-' +
    'crash-explained-through-7-charts), ' +
    'October 2025: liquidations by the minute',
  f:
    'Blockscope, [The October crash](https://research.blockscope.co/the-october-crash): prices, ' +
    'and liquidations as Coinglass has them',
  g:
    'CoinDesk Data, *The $19 billion liquidation that shook crypto*, 17 October 2025, and ' +
    '[a review of derivatives](https://www.binance.com/en/square/post/31063396369578): open ' +
    'interest',
  h:
    "the venue's candles and funding of September 2024 to July 2025 in ten windows of thirty " +
    'days, and nine minutes of its books and trades in January 2025',
} as const

export type Source = keyof typeof SOURCES
