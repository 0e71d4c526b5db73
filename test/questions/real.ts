/** Asks the default recording under some answers, at the start of its tape or later. */
import type { Answers } from '../../src/contract/questions.ts'
import { memory } from '../../src/transport/memory/memory.ts'
import { realRegistry } from '../real-market.ts'
import { P } from './trial.ts'

export async function realGetter(questions: Partial<Answers>, laterMs = 0) {
  const { registry, sandbox } = await realRegistry({ questions })
  await sandbox.clock.advance(laterMs)
  const { request } = memory(registry)
  return (path: string) => {
    const { status, body } = request('GET', `${P}${path}`)
    return { status, body: JSON.parse(body), data: JSON.parse(body).data }
  }
}
