import { memoryTransport } from '../../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../../fixtures/default-recording.ts'
import { signed } from '../../fixtures/fake-market.ts'
import { PREFIX, type QuestionTrials } from '../../fixtures/question-trial.ts'
import { recordedGetter } from '../../fixtures/recorded-answers.ts'

type Flash = { createtime: number }

export const content: QuestionTrials = {
  'flash-createtime': {
    async see(answer) {
      const get = await recordedGetter({ 'flash-createtime': answer })
      const all: Flash[] = get(`/content/flashList?${signed()}`).data
      const given = all[5]?.createtime
      const { data } = get(`/content/flashList?createtime=${given}&${signed()}`)
      const times = data.map(({ createtime }: Flash) => createtime - Number(given))
      return [times.length, times.every((one: number) => one < 0)]
    },
    expected: { older: [20, true], newer: [5, false] },
  },
  'news-absent': {
    async see(answer) {
      const { registry } = await recordedRegistry({ questions: { 'news-absent': answer } })
      const path = `${PREFIX}/content/news-detail?id=1&${signed()}`
      const { status, body } = memoryTransport(registry).request('GET', path)
      const { success, errorCode, data } = JSON.parse(body)
      return [status, success, errorCode, data]
    },
    expected: {
      '403': [200, false, 403, null],
      '404': [404, false, 404, null],
      null: [200, true, 200, null],
    },
  },
  'news-language': {
    async see(answer) {
      const get = await recordedGetter({ 'news-language': answer })
      const { data } = get(`/content/news-list?${signed()}`)
      return [...new Set(data.map(({ language }: { language: number }) => language))].sort()
    },
    expected: { '10': [10, 11], '0': [0, 11] },
  },
  'news-list-language': {
    async see(answer) {
      const get = await recordedGetter({ 'news-list-language': answer })
      return languagesOf(get(`/content/news-list?${signed()}`).data)
    },
    expected: { both: ['cn', 'en'], cn: ['cn'], en: ['en'] },
  },
  'rss-language': {
    async see(answer) {
      const get = await recordedGetter({ 'rss-language': answer })
      return languagesOf(get(`/content/square/market/news-list?${signed()}`).data)
    },
    expected: { both: ['cn', 'en'], cn: ['cn'], en: ['en'] },
  },
}

const languagesOf = (items: { title: string }[]) =>
  [...new Set(items.map(({ title }) => (/[\u4e00-\u9fff]/.test(title) ? 'cn' : 'en')))].sort()
