import { answer, type Deviation, deviationsOf } from './deviation.ts'

/** What a service can do wrong in indicators. */
export const INDICATOR_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('indicator.forms', {
    'a column has another name': answer(/dataRecords/, (text) => text.replace('"value"', '"val"')),
  }),
]
