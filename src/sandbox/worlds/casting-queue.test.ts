import { expect, test } from 'bun:test'
import { UserError } from '../../platform/user-error.ts'
import { CastingQueue } from './casting-process.ts'

const casting = (world: string) => ({ world, events: 0, of: 10 })

/** Work that the test finishes. */
function work(queue: CastingQueue, world: string, started: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const ended = queue.run(casting(world), () => {
    started.push(world)
    return promise
  })
  return { finish: resolve, fail: reject, ended }
}

const shown = (queue: CastingQueue) => queue.list().map(({ world }) => world)

test('a bounded number runs at once, the others wait and are listed in order', async () => {
  const [queue, started] = [new CastingQueue(1), [] as string[]]
  const [first, second, third] = ['a', 'b', 'c'].map((world) => work(queue, world, started))
  expect([started, shown(queue)]).toEqual([['a'], ['a', 'b', 'c']])
  first?.finish()
  await first?.ended
  await Promise.resolve()
  expect([started, shown(queue)]).toEqual([
    ['a', 'b'],
    ['b', 'c'],
  ])
  second?.finish()
  third?.finish()
  await third?.ended
  expect([started, shown(queue)]).toEqual([['a', 'b', 'c'], []])
})

test('a failed one makes room for the next', async () => {
  const [queue, started] = [new CastingQueue(1), [] as string[]]
  const [first, second] = ['a', 'b'].map((world) => work(queue, world, started))
  first?.fail(new UserError('no room'))
  expect(await first?.ended.catch((error) => error.message)).toBe('no room')
  second?.finish()
  await second?.ended
  expect([started, shown(queue)]).toEqual([['a', 'b'], []])
})

test('a place that is handed on cannot be taken', async () => {
  const [queue, started] = [new CastingQueue(1), [] as string[]]
  const [first, second] = ['a', 'b'].map((world) => work(queue, world, started))
  first?.finish()
  const late = first?.ended.then(() => work(queue, 'c', started))
  const third = await late
  expect(queue.list().length).toBe(2)
  expect(started).toEqual(['a', 'b'])
  second?.finish()
  third?.finish()
  await third?.ended
  expect(started).toEqual(['a', 'b', 'c'])
})

test('too many are refused, with the bound in the message', async () => {
  const [queue, started] = [new CastingQueue(2), [] as string[]]
  const accepted = Array.from({ length: 18 }, (_, i) => work(queue, `w${i}`, started))
  const refused = await queue.run(casting('x'), async () => {}).catch((error) => error)
  expect(refused).toBeInstanceOf(UserError)
  expect(refused.message).toBe(
    '2 worlds are being cast and 16 wait for it, and no more than 16 may wait: ' +
      'ask again when some of them are finished',
  )
  for (const { finish } of accepted) finish()
  await Promise.all(accepted.map(({ ended }) => ended))
  expect([started.length, shown(queue)]).toEqual([18, []])
})
