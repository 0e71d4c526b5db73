/** Questions that cannot be read off a target from outside, and why. */
import type { QuestionId } from '../../contract/questions.ts'

export const UNOBSERVABLE: Partial<Record<QuestionId, string>> = {
  'disabled-key': 'No operation of the contract disables a key.',
  'other-key-limits':
    'It would take more than a thousand requests in a minute, and lock the key out.',
  'venue-rate-limit': 'It is asked of the perpetual venue, and the suite does not call that.',
  'venue-greeting': 'It is asked of the perpetual venue, and the suite does not call that.',
}
