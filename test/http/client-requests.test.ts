/** The client's requests: retries, timeouts, rate, and the service's clock. */
import { expect, test } from 'bun:test'
import { ConnectionError } from '../../src/clients/service/errors.ts'
import type { ClientSettings } from '../../src/clients/service/settings.ts'
import { answered, FINE, failure } from '../fixtures/answered-client.ts'
import { movedClock } from '../fixtures/moved-clock.ts'

test('a read is retried as often as configured, a change never', async () => {
  const { systemClock, advance } = movedClock()
  const refusal = { status: 503, body: '<html>', headers: { 'retry-after': '5' } }
  const { service, requested } = answered([refusal, refusal, {}], { systemClock, retries: 2 })
  const list = service.coin.list()
  await advance(5_000)
  expect(requested).toHaveLength(2)
  await advance(5_000)
  expect([await list, requested.length]).toEqual([[], 3])
  expect(
    new Set(requested.map((url) => new URL(url).searchParams.get('SignatureNonce'))).size,
  ).toBe(3)

  const changing = answered([refusal], { systemClock, retries: 2 })
  await failure(changing.service.signal.addAlert({ query: { subType: 'a', symbol: 'b' } }))
  expect(changing.requested).toHaveLength(1)
  const refused = answered([{ status: 403, body: '{"code":"403","msg":"no"}' }], { retries: 2 })
  await failure(refused.service.coin.list())
  expect(refused.requested).toHaveLength(1)
})

test('a call can have its own retries, timeout and signal', async () => {
  const { systemClock, advance } = movedClock()
  const lost = answered([new Error('lost'), {}], { systemClock })
  const again = lost.service.coin.list({}, { retries: 1 })
  await advance(1000)
  expect(await again).toEqual([])

  const hanging: ClientSettings['send'] = (_, { signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('ended'))))
  const { service } = answered([], { systemClock, send: hanging, retries: 5 })
  const late = failure(service.coin.list({}, { timeoutMs: 40 }))
  await advance(40)
  // A late change is not sent a second time.
  expect(String(await late)).toBe('ConnectionError: coin.list: no answer within 40 ms')
  const abort = new AbortController()
  const ended = failure(service.coin.list({}, { signal: abort.signal }))
  abort.abort(new Error('not wanted any more'))
  expect(String(await ended)).toBe('Error: not wanted any more')
})

test('closing ends open requests, and nothing is sent afterwards', async () => {
  const { service } = answered([], {
    send: (_, { signal }) =>
      new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('ended'))),
      ),
  })
  const open = failure(service.coin.list())
  service.close()
  expect(String(await open)).toBe('ConnectionError: coin.list: the client is closed')
  expect(await failure(service.coin.list())).toBeInstanceOf(ConnectionError)
  expect(() => service.subscribe('bbo', { coin: 'BTC' })).toThrow('bbo: the client is closed')
})

test('a wrong clock is corrected by the Date of the refusal', async () => {
  const { systemClock } = movedClock(Date.UTC(2026, 2, 4, 10, 20, 30))
  const date = 'Wed, 04 Mar 2026 10:21:15 GMT'
  const refusal = { status: 401, body: '{"code":"401","msg":"Invalid signature"}' }
  const stamps = (requested: string[]) =>
    requested.map((url) => Number(new URL(url).searchParams.get('Timestamp')) - 1_772_619_630)
  const skewed = answered([{ ...refusal, headers: { date } }, {}], { systemClock })
  expect(await skewed.service.coin.list()).toEqual([])
  await skewed.service.coin.list()
  expect(stamps(skewed.requested)).toEqual([0, 45, 45])
  const wrong = answered([{ ...refusal, headers: { date } }], { systemClock })
  await failure(wrong.service.coin.list())
  await failure(wrong.service.coin.list())
  // The clock is not the reason: the next one is signed by the machine's again.
  expect(stamps(wrong.requested)).toEqual([0, 45, 0, 45])
  const exact = answered([{ ...refusal, headers: { date: 'Wed, 04 Mar 2026 10:20:31 GMT' } }], {
    systemClock,
  })
  await failure(exact.service.coin.list())
  expect(exact.requested).toHaveLength(1)
})

test('concurrent requests refused by a moved clock each try for themselves', async () => {
  const { systemClock } = movedClock(Date.UTC(2026, 2, 4, 10, 20, 30))
  let signedBefore = 2
  const stamps: number[] = []
  // It shows a clock three minutes ahead, and checks by the machine's.
  const headers = { date: 'Wed, 04 Mar 2026 10:23:30 GMT' }
  const { service } = answered([], {
    systemClock,
    send: async (url) => {
      const stamp = Number(new URL(url).searchParams.get('Timestamp')) - 1_772_619_630
      stamps.push(stamp)
      const isRefused = stamp !== 0 || signedBefore-- > 0
      const body = isRefused ? '{"code":"401","msg":"Invalid signature"}' : FINE
      return new Response(body, { status: isRefused ? 401 : 200, headers })
    },
  })
  const refused = await Promise.all([failure(service.coin.list()), failure(service.coin.list())])
  expect(refused.map(({ kind }) => kind)).toEqual(['signature', 'signature'])
  expect(await Promise.all([service.coin.list(), service.coin.list()])).toEqual([[], []])
  expect(stamps).toEqual([0, 0, 180, 180, 0, 0])
})

test('the rate learnt from refusals is kept', async () => {
  const { systemClock, advance } = movedClock()
  const sentMs: number[] = []
  let refused = 0
  const { service } = answered([], {
    systemClock,
    limitsRate: true,
    retries: 9,
    // Thirty in any minute.
    send: async () => {
      const nowMs = systemClock.monotonicMs()
      const isOver = sentMs.filter((at) => at > nowMs - 60_000).length >= 30
      if (isOver) refused++
      else sentMs.push(nowMs)
      const [status, body] = isOver ? [429, '{"code":"429","msg":"slow down"}'] : [200, FINE]
      return new Response(body, { status })
    },
  })
  const all = Promise.all(
    Array.from({ length: 120 }, async (_, n) => {
      await new Promise<void>((go) => systemClock.startTimer(n * 500, go))
      await service.coin.list()
    }),
  )
  for (let second = 0; second < 400; second++) await advance(1000)
  await all
  // Without a limiter each of the 90 surplus requests is refused at least once.
  expect(refused).toBeLessThan(20)
  expect(sentMs).toHaveLength(120)
})

test('an exhausted quota does not delay requests until the next month', async () => {
  const { systemClock } = movedClock()
  const body = '{"code":"429","msg":"the quota of this month is used up","data":null}'
  const quota = { status: 429, body, headers: { 'retry-after': '864000' } }
  const { service, requested } = answered([quota], { systemClock, limitsRate: true, retries: 3 })
  expect((await failure(service.coin.list())).kind as string).toBe('quota')
  expect((await failure(service.coin.list())).kind as string).toBe('quota')
  expect(requested).toHaveLength(2)
})
