/** Every open question, with each answer; the trials are in test/http/questions/. */
import { expect, test } from 'bun:test'
import { QUESTIONS } from '../../src/contract/questions.ts'
import type { QuestionTrial, QuestionTrials } from '../fixtures/question-trial.ts'
import { authentication } from './questions/authentication.ts'
import { coin } from './questions/coin.ts'
import { content } from './questions/content.ts'
import { distributor } from './questions/distributor.ts'
import { errors } from './questions/errors.ts'
import { futures } from './questions/futures.ts'
import { index } from './questions/index.ts'
import { indicator } from './questions/indicator.ts'
import { leniency } from './questions/leniency.ts'
import { limits } from './questions/limits.ts'
import { mix } from './questions/mix.ts'
import { fills } from './questions/perpdex/fills.ts'
import { liquidations } from './questions/perpdex/liquidations.ts'
import { market } from './questions/perpdex/market.ts'
import { orders } from './questions/perpdex/orders.ts'
import { positions } from './questions/perpdex/positions.ts'
import { traders } from './questions/perpdex/traders.ts'
import { whales } from './questions/perpdex/whales.ts'
import { signal } from './questions/signal.ts'
import { sockets } from './questions/sockets.ts'
import { stock } from './questions/stock.ts'
import { venue } from './questions/venue.ts'

const TRIALS: QuestionTrials = {
  ...authentication,
  ...errors,
  ...limits,
  ...distributor,
  ...stock,
  ...futures,
  ...index,
  ...coin,
  ...mix,
  ...signal,
  ...content,
  ...indicator,
  ...fills,
  ...liquidations,
  ...market,
  ...orders,
  ...positions,
  ...traders,
  ...whales,
  ...sockets,
  ...leniency,
  ...venue,
}

test('every trial is of an existing question', () => {
  expect(Object.keys(TRIALS).sort()).toEqual(Object.keys(QUESTIONS).sort())
})

for (const [id, { answers }] of Object.entries(QUESTIONS))
  for (const answer of Object.keys(answers))
    test(`question ${id}: ${answer}`, async () => {
      const trial = (TRIALS as Record<string, QuestionTrial<string>>)[id]
      expect(trial?.expected).toHaveProperty([answer])
      expect(await trial?.see(answer)).toEqual(trial?.expected[answer] as never)
    })
