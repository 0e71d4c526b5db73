import { ACCOUNT_FIGURES } from './account-figures.ts'
import { CANDLE_FIGURES } from './candle-figures.ts'
import { COIN_FIGURES } from './coin-figures.ts'
import { FUNDING_FIGURES, INTEREST_FIGURES, LIQUIDATION_FIGURES } from './derivative-figures.ts'
import { EXCHANGE_FIGURES } from './exchange-figures.ts'
import type { Figure } from './figure.ts'
import { FLOW_FIGURES } from './flow-figures.ts'
import { SEAM_FIGURES } from './seam-figures.ts'

/** All figures, in the order in which they are shown. */
export const FIGURE_GROUPS: readonly { title: string; figures: readonly Figure[] }[] = [
  { title: 'Prices and turnover', figures: CANDLE_FIGURES },
  { title: 'Coins beside one another', figures: COIN_FIGURES },
  { title: 'Where the past meets the tape', figures: SEAM_FIGURES },
  { title: 'Orders and books of the tape', figures: FLOW_FIGURES },
  { title: 'Funding', figures: FUNDING_FIGURES },
  { title: 'Open interest', figures: INTEREST_FIGURES },
  { title: 'Liquidations', figures: LIQUIDATION_FIGURES },
  { title: 'Accounts', figures: ACCOUNT_FIGURES },
  { title: 'Other exchanges and coins', figures: EXCHANGE_FIGURES },
]
