import { recordedRegistry } from '../../../fixtures/default-recording.ts'
import type { QuestionTrials } from '../../../fixtures/question-trial.ts'
import {
  firstNames,
  perpdexGetter,
  recordedMarket,
  type TextRow,
} from '../../../fixtures/recorded-answers.ts'

/** A TWAP and a builder that the default recording has. */
async function found(what: 'twapIds' | 'builders'): Promise<string> {
  const { cast } = await recordedRegistry()
  const lists = cast() as unknown as Record<typeof what, (string | number)[]>
  return String(lists[what][0])
}

export const fills: QuestionTrials = {
  'fill-form': {
    async see(answer) {
      const { ask, address, oid } = await recordedMarket({ 'fill-form': answer })
      const [ofAddress] = ask('GET', `/hl/fills/${address}?limit=1`)
      const [ofOrder] = ask('GET', `/hl/fills/oid/${oid}`)
      return [ofAddress, ofOrder].map(firstNames)
    },
    expected: {
      simple: Array(2).fill(['coin', 'side', 'price']),
      native: Array(2).fill(['coin', 'px', 'sz']),
    },
  },
  'twap-fill-form': {
    async see(answer) {
      const get = await perpdexGetter({ 'twap-fill-form': answer })
      const [fill] = get(`/fills/twapid/${await found('twapIds')}`).data as TextRow[]
      return ['side', 'px', 'price', 'address', 'twapId'].filter((name) => name in (fill ?? {}))
    },
    expected: {
      slice: ['side', 'px', 'twapId'],
      native: ['side', 'px', 'address', 'twapId'],
      simple: ['side', 'price'],
    },
  },
  'builder-fill-ids': {
    async see(answer) {
      const get = await perpdexGetter({ 'builder-fill-ids': answer })
      const [fill] = get(`/fills/builder/${await found('builders')}/latest?limit=1`)
        .data as TextRow[]
      return ['tid', 'twapId', 'builderFee'].filter((name) => name in (fill ?? {}))
    },
    expected: { present: ['tid', 'twapId', 'builderFee'], absent: ['builderFee'] },
  },
}
