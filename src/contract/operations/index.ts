/** Every declaration in index/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import type { Operation } from '../operation.ts'
import { indexInfo } from './index/info.ts'
import { indexList } from './index/list.ts'
import { indexPrice } from './index/price.ts'

export const INDEX = {
  info: indexInfo,
  list: indexList,
  price: indexPrice,
} satisfies Record<string, Operation>
