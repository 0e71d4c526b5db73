import type { Deviation } from '../deviation.ts'
import { answer, data, deviationsOf, reading, rows } from './shorthand.ts'

/** Deviations of news and flashes. */
export const CONTENT_DEVIATIONS: readonly Deviation[] = [
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
