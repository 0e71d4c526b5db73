/** Where the wanted ranges come from, by the letters that the table shows. */
export const SOURCES = {
  a: 'R. Cont, *Empirical properties of asset returns: stylized facts and statistical issues*, Quantitative Finance 1 (2001) 223-236',
  b: 'arXiv [2402.11930](https://arxiv.org/abs/2402.11930), stylised facts of bitcoin at high frequency',
  c: 'arXiv [2510.08085](https://arxiv.org/abs/2510.08085) and [2312.08927](https://arxiv.org/abs/2312.08927), order flow and books driven by Hawkes processes',
  d: "the perpetual venue's documentation: *Funding*, *Liquidations*, *TWAP*",
} as const

export type Source = keyof typeof SOURCES
