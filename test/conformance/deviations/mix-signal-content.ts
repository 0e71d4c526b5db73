import { answer, type Deviation, data, deviationsOf, reading, rows } from './deviation.ts'

/** What a service can do wrong in features, signals and news. */
export const MIX_SIGNAL_CONTENT_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('mix.scale.coins', {
    'coins are not read': reading(/scale/, (query) => query.delete('coins')),
  }),
  ...deviationsOf('mix.scale.percent', {
    'percent is of a hundred': answer(/scale/, (text) =>
      text.replaceAll(/"percent":"(-?[\d.]+)"/g, (_, part) => `"percent":"${part * 100 + 1}"`),
    ),
  }),
  ...deviationsOf('mix.liquidations.sums', {
    'shorts are left out': data(/liq/, ({ detail }) => ({
      detail: { ...detail, liqLong24h: '1', liqShort24h: '2' },
    })),
  }),
  ...deviationsOf('mix.liquidations.currency', {
    'usd is the default': reading(/liq/, (query) => {
      if (!query.has('currency')) query.set('currency', 'usd')
    }),
  }),
  ...deviationsOf('signal.changes.currency', {
    'cny is the default': reading(/change/, (query) => {
      if (!query.has('currency')) query.set('currency', 'cny')
    }),
    'type is not read': reading(/change/, (query) => query.set('type', '8')),
  }),
  ...deviationsOf('indicator.forms', {
    'a column has another name': answer(/dataRecords/, (text) => text.replace('"value"', '"val"')),
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
    'a failure is told as success': answer(/addSignal/, (text) =>
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
  ...deviationsOf('content.flash-types', {
    'a type is not of the list': rows(/flashList/, (row) => ({ ...row, flashType: 2 })),
  }),
  ...deviationsOf('content.detail', {
    'the detail has no content': data(/detail/, (row) => ({ ...row, content: '' })),
    'the detail is of another': data(/detail/, (row) => ({ ...row, id: row.id + 1 })),
  }),
  ...deviationsOf('content.pages', {
    'page is not read': reading(/news-list/, (query) => query.set('page', '1')),
    'pageSize is not read': reading(/news-list/, (query) => query.set('pageSize', '20')),
  }),
  ...deviationsOf('content.members', {
    'memberIds[] is not read': reading(/listing/, (query) => {
      if (query.has('memberIds[]')) query.set('memberIds', '1001')
      query.delete('memberIds[]')
    }),
    'the default is another': reading(/listing/, (query) => {
      if (!query.has('memberIds') && !query.has('memberIds[]')) query.set('memberIds', '1001')
    }),
  }),
  ...deviationsOf('content.insights', {
    'English is the default': reading(/ai-coins/, (_, given) => {
      if (given) given.language ??= 'EN'
    }),
    'trend is up': answer(/ai-coins/, (text) => text.replace(/"trend":"\w+"/, '"trend":"up"')),
  }),
  ...deviationsOf('content.languages', {
    'language is not read': reading(/newsflash/, (query) => query.set('language', 'cn')),
  }),
]
