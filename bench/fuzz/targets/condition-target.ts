import fc from 'fast-check'
import { UserError } from '../../../src/platform/user-error.ts'
import { parseEventCondition } from '../../../src/sandbox/event-condition.ts'
import { fuzzTarget } from '../fuzz-target.ts'

const TOKENS = [
  ...['and', 'or', '(', ')', '==', '!=', '<', '<=', '>', '>=', '"', '""', '"a b"', ' '],
  ...['coin', 'px', 'sz', 'kind', 'time', 'BTC', '62000', '-1', '1e309', '__proto__', '=', '!'],
]

const EVENTS = [
  { kind: 'trade', time: 1_700_000_000_000, coin: 'BTC', px: '62000.5', sz: '1', side: 'A' },
  { kind: 'bbo', time: 1, coin: 'xyz:TSLA', bid: '1', ask: '2' },
  {},
]

/** Conditions of `playhead/run`: accepted, or refused in a line, whatever their text. */
export const conditionTarget = fuzzTarget<string>({
  name: 'conditions',
  about: 'conditions on events',
  perSecond: 2_000,
  open: async () => ({
    scripts: fc.oneof(
      fc.array(fc.constantFrom(...TOKENS), { maxLength: 30 }).map((parts) => parts.join(' ')),
      fc.array(fc.constantFrom(...TOKENS), { maxLength: 30 }).map((parts) => parts.join('')),
      fc
        .tuple(fc.nat({ max: 500 }), fc.nat({ max: 500 }))
        .map(([open, close]) => `${'('.repeat(open)}px > 1${')'.repeat(close)}`),
      fc.string({ unit: 'binary' }),
    ),
    async check(text) {
      try {
        const condition = parseEventCondition(text)
        for (const event of EVENTS) condition(event)
      } catch (error) {
        if (!(error instanceof UserError)) throw error
      }
    },
  }),
})
