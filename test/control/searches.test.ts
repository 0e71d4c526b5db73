/** Searching the tape for an event: range, duration, and end. */
import { expect, test } from 'bun:test'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { START_MS } from '../fixtures/fake-market.ts'
import { market } from '../fixtures/turns-market.ts'

test('a search covers one lap, or the rest of the tape', async () => {
  const { run, ask, mine } = await market(0, { at: 30_000, end: 'loop' })
  const read = chunksRead(mine)
  const never = () => run('px > 1e9', 7 * 86_400_000)
  expect((await never()).body.error).toBe(
    'no such event within 604800000 ms of the tape: a lap of 61000 ms has none, ' +
      'and all laps are alike',
  )
  expect(read.splice(0)).toEqual([3, 4, 5, 6, 0, 1, 2, 3])
  await ask('playhead.set', { body: { end: 'hold' } })
  read.length = 0
  expect((await never()).body.error).toBe('no such event within 604800000 ms of the tape')
  expect(read).toEqual([3, 4, 5, 6])
  expect((await run('px == 131')).body.error).toBe('no such event within 61000 ms of the tape')
  await ask('playhead.set', { body: { end: 'loop' } })
  expect((await run('px == 131')).body).toMatchObject({
    event: { px: '131.0' },
    sandbox: { playhead: { lap: 1, at: START_MS + 30_000 } },
  })
})

test('a search ends when its sandbox is dropped or its caller disconnects', async () => {
  for (const goes of [false, true]) {
    const { ask, mine, registry } = await market(0, {}, 6_000)
    const caller = new AbortController()
    const read = chunksRead(mine, () => (goes ? caller.abort() : registry.drop('mine')))
    const search = ask('playhead.run', { body: { until: 'px > 1e9' }, signal: caller.signal })
    expect((await search).status).toBe(409)
    expect(read).toEqual([0])
  }
})

/** Records which chunks of the tape are read. */
function chunksRead({ world: { timeline } }: Sandbox, onRead = () => {}): number[] {
  const read: number[] = []
  const { chunk } = timeline
  timeline.chunk = (index) => {
    read.push(index)
    onRead()
    return chunk(index)
  }
  return read
}

test('a refusal names the bound and the requested search', async () => {
  const { run } = await market(4)
  const errorOf = async (until: string, withinMs?: number) =>
    (await run(until, withinMs)).body.error
  expect(await errorOf('px > 1', 1e15)).toContain(
    'withinMs must be a whole number from 1 to 604800000, not 1000000000000000',
  )
  expect(await errorOf('x'.repeat(1_001))).toContain(
    'until must be text of 1 to 1000 characters, not of 1001',
  )
  expect(await errorOf(`${'('.repeat(490)}px > 1${')'.repeat(490)}`)).toContain(
    'at most 16 parentheses within one another, not 490',
  )
  const terms = Array.from({ length: 100 }, () => 'px>1').join(' or ')
  expect(await errorOf(terms)).toContain('at most 64 comparisons, not 100')
})
