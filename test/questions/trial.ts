/** A question tried: what is seen under each answer, and what is expected. */
import type { Answers, AnswerTo, QuestionId } from '../../src/contract/questions.ts'
import { memory } from '../../src/transport/memory/memory.ts'
import { toyRegistry } from '../toy-market.ts'

export interface Trial<A extends string> {
  see(answer: A): Promise<unknown>
  expected: Record<A, unknown>
}

/** Trials by the id of their question. */
export type Trials = { [Id in QuestionId]?: Trial<AnswerTo<Id>> }

export const P = '/api/upgrade/v2'

/** Asks the toy market under some answers. */
export async function getter(questions: Partial<Answers>) {
  const { request } = memory(await toyRegistry({ questions }))
  return (path: string) => {
    const { status, body } = request('GET', `${P}${path}`)
    return { status, data: JSON.parse(body).data }
  }
}
