/** A question tried: what is seen under each answer, and what is expected. */
import { memory } from '../../src/transport/memory/memory.ts'
import { toyRegistry } from '../toy-market.ts'

export interface Trial {
  see(answer: string): Promise<unknown>
  expected: Record<string, unknown>
}

/** Trials by the id of their question. */
export type Trials = Record<string, Trial>

export const P = '/api/upgrade/v2'

/** Asks the toy market under some answers. */
export async function getter(questions: Record<string, string>) {
  const { request } = memory(await toyRegistry({ questions }))
  return (path: string) => {
    const { status, body } = request('GET', `${P}${path}`)
    return { status, data: JSON.parse(body).data }
  }
}
