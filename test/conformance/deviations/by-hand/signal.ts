import type { Deviation } from '../deviation.ts'
import { answer, data, deviationsOf, reading } from './shorthand.ts'

/** Deviations of signals and alerts. */
export const SIGNAL_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('signal.changes.currency', {
    'cny is the default': reading(/change/, (query) => {
      if (!query.has('currency')) query.set('currency', 'cny')
    }),
    'type is not read': reading(/change/, (query) => query.set('type', '8')),
  }),
  ...deviationsOf('signal.alerts', {
    'result is a boolean': answer(/Alert/, (text) => text.replace('"true"', 'true')),
    'an alert is not kept': reading(/addSignal/, (query) => query.set('symbol', 'no:such')),
    'an alert is not deleted': reading(/delSignal/, (query) => query.set('id', '0')),
    'tpKey is another': answer(/SetList/, (text) => text.replaceAll('btcswap', 'ethswap')),
  }),
  ...deviationsOf('signal.alerts.offered', {
    'a price must be given': reading(/addSignal/, (query) => {
      if (/^price:1:above$/.test(query.get('subType') ?? '')) query.set('subType', 'price:1')
    }),
  }),
  ...deviationsOf('signal.alerts.failure', {
    'a failure is sent as success': answer(/addSignal/, (text) =>
      text.replace('"false"', '"true"'),
    ),
  }),
  ...deviationsOf('signal.strategies.mapping', {
    'side comes before type': answer(/strategy/, (text) =>
      text.replace('"signal_type","side"', '"side","signal_type"'),
    ),
    'a cell is a number': answer(/strategy/, (text) => text.replaceAll(/\["(\d+)",/g, '[$1,')),
  }),
  ...deviationsOf('signal.strategies.pages', {
    'the boundary stands on both pages': reading(/strategy/, (query) => {
      const time = query.get('latest_time')
      if (time) query.set('latest_time', String(Number(time) - 1))
    }),
    'latest_time is not read': reading(/strategy/, (query) => query.delete('latest_time')),
    'latest_time does not advance': data(/strategy/, (page) => ({ ...page, latest_time: '0' })),
  }),
]
