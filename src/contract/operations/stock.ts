/** Every declaration in stock/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import type { Operation } from '../operation.ts'
import { stockCompany } from './stock/company.ts'
import { stockQuotes } from './stock/quotes.ts'
import { stockTopGainerByPost } from './stock/top-gainer-by-post.ts'
import { stockTopGainer } from './stock/top-gainer.ts'

export const STOCK = {
  company: stockCompany,
  quotes: stockQuotes,
  topGainerByPost: stockTopGainerByPost,
  topGainer: stockTopGainer,
} satisfies Record<string, Operation>
