import { signed } from '../../fixtures/fake-market.ts'
import type { QuestionTrials } from '../../fixtures/question-trial.ts'
import { recordedGetter } from '../../fixtures/recorded-answers.ts'

/** Sends a request under one answer to one question. */
async function ask(id: string, answer: string, path: string) {
  const get = await recordedGetter({ [id]: answer })
  return get(`/crypto_stock/${path}${path.includes('?') ? '&' : '?'}${signed()}`)
}

export const stock: QuestionTrials = {
  'stock-times': {
    async see(answer) {
      const { data } = await ask('stock-times', answer, 'quotes')
      return String(data[0].timestamp).length
    },
    expected: { ms: 13, s: 10 },
  },
  'stock-ticker-form': {
    async see(answer) {
      const quotes = await ask('stock-ticker-form', answer, 'quotes')
      const company = await ask('stock-ticker-form', answer, 'company/i:mstr:nasdaq')
      return [quotes.data[0].ticker, company.data.ticker]
    },
    expected: { key: Array(2).fill('i:mstr:nasdaq'), symbol: Array(2).fill('MSTR') },
  },
  'stock-quote-close': {
    async see(answer) {
      const { data } = await ask('stock-quote-close', answer, 'quotes')
      return data[0].close === data[0].last_price
    },
    expected: { present: true, previous: false },
  },
  'stock-quote-day': {
    async see(answer) {
      const { open, open_today, start_ts, end_ts } = (
        await ask('stock-quote-day', answer, 'quotes')
      ).data[0]
      return [open_today === open, end_ts - start_ts]
    },
    expected: { absent: [false, Number.NaN], present: [true, 6.5 * 3_600_000] },
  },
  'stock-change-rate': {
    async see(answer) {
      const { data } = await ask('stock-change-rate', answer, 'top-gainer')
      // The largest change has the least rounding.
      const { price, change, change_rate } = data[0]
      return Math.round((change_rate * (price - change)) / change)
    },
    expected: { percent: 100, fraction: 1 },
  },
  'stock-no-market': {
    async see(answer) {
      const { data } = await ask('stock-no-market', answer, 'top-gainer')
      return new Set(data.map(({ market }: { market: string }) => market)).size
    },
    expected: { all: 2, none: 0 },
  },
  'stock-unknown': {
    async see(answer) {
      const { status, data } = await ask('stock-unknown', answer, 'company/i:nobody:nasdaq')
      return [status, data]
    },
    expected: { refuse: [400, null], '500': [500, null], null: [200, null] },
  },
}
