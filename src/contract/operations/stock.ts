/** Operations of the stock group. */
import type { Operation } from '../operation.ts'
import { stockCompany } from './stock/company.ts'
import { stockQuotes } from './stock/quotes.ts'
import { stockTopGainer } from './stock/top-gainer.ts'
import { stockTopGainerByPost } from './stock/top-gainer-by-post.ts'

export const STOCK = {
  quotes: stockQuotes,
  company: stockCompany,
  topGainer: stockTopGainer,
  topGainerByPost: stockTopGainerByPost,
} satisfies Record<string, Operation>
