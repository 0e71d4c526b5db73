import { memory } from '../../src/transport/memory/memory.ts'
import { realRegistry } from '../real-market.ts'
import { signed } from '../toy-market.ts'
import { realGetter } from './real.ts'
import { P, type Trials } from './trial.ts'

type Flash = { createtime: number }

export const content: Trials = {
  'flash-createtime': {
    async see(answer) {
      const get = await realGetter({ 'flash-createtime': answer })
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
      const { registry } = await realRegistry({ questions: { 'news-absent': answer } })
      const path = `${P}/content/news-detail?id=1&${signed()}`
      const { status, body } = memory(registry).request('GET', path)
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
      const get = await realGetter({ 'news-language': answer })
      const { data } = get(`/content/news-list?${signed()}`)
      return [...new Set(data.map(({ language }: { language: number }) => language))].sort()
    },
    expected: { '10': [10, 11], '0': [0, 11] },
  },
}
