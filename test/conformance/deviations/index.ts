import { type Deviation, data, deviationsOf } from './deviation.ts'

/** What a service can do wrong in indexes. */
export const INDEX_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('index.count', {
    'count is a number': data(/getIndex/, (page) => ({ ...page, count: Number(page.count) })),
    'count is one too high': data(/getIndex/, (page) => ({ ...page, count: `${page.count}0` })),
  }),
]
