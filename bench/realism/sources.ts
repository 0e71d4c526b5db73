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
} as const

export type Source = keyof typeof SOURCES
