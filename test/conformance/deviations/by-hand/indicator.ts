import type { Deviation } from '../deviation.ts'
import { answer, deviationsOf } from './shorthand.ts'

/** Deviations of indicators. */
export const INDICATOR_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('indicator.forms', {
    'a column has another name': answer(/dataRecords/, (text) => text.replace('"value"', '"val"')),
  }),
]
