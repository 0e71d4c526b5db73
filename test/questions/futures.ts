import { signed } from '../toy-market.ts'
import { getter, type Trials } from './trial.ts'

export const futures: Trials = {
  'unknown-pair': {
    async see(answer) {
      const get = await getter({ 'unknown-pair': answer })
      const full = get(`/futures/full-depth?dbKey=x:y&${signed()}`)
      const grouped = get(`/futures/full-depth/grouped?dbKey=x:y&groupSize=1&${signed()}`)
      return [full, grouped].map(({ status, data }) => [status, data?.bids])
    },
    expected: {
      refuse: [
        [400, undefined],
        [400, undefined],
      ],
      empty: [
        [200, []],
        [200, []],
      ],
    },
  },
}
