import type { Deviation } from '../deviation.ts'
import { data, deviationsOf } from './shorthand.ts'

/** Deviations of indexes. */
export const INDEX_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('index.count', {
    'count is a number': data(/getIndex/, (page) => ({ ...page, count: Number(page.count) })),
    'count is one too high': data(/getIndex/, (page) => ({ ...page, count: `${page.count}0` })),
  }),
]
