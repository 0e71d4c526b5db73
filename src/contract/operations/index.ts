/** Operations of the index group. */
import type { Operation } from '../operation.ts'
import { indexInfo } from './index/info.ts'
import { indexList } from './index/list.ts'
import { indexPrice } from './index/price.ts'

export const INDEX = {
  list: indexList,
  price: indexPrice,
  info: indexInfo,
} satisfies Record<string, Operation>
