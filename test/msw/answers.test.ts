/** Responses through msw equal a server's: bytes, status, headers, and effects of scenarios. */
import { expect, test } from 'bun:test'
import { handlers } from '../../src/server/transport/msw/index.ts'
import { signed } from '../fixtures/fake-market.ts'
import { PREFIX } from '../fixtures/test-server.ts'
import { intercept } from './bun-network.ts'
import { allOf, threeWays } from './three-ways.ts'

const TICKERS = `${PREFIX}/hl/tickers`
const STATES = `${PREFIX}/hl/traders/clearinghouse-state`

/** Headers of an HTTP connection, which msw does not have. */
const CONNECTION_HEADERS = ['connection', 'content-length', 'date', 'keep-alive']
CONNECTION_HEADERS.push('transfer-encoding')

async function plain(answer: Response) {
  const headers = [...answer.headers].filter(([name]) => !CONNECTION_HEADERS.includes(name))
  return { status: answer.status, headers: headers.sort(), text: await answer.text() }
}

const REQUESTS: [name: string, status: number, path: string, init?: RequestInit][] = [
  ['an operation', 200, `${TICKERS}?${signed()}`],
  ['its head', 200, `${TICKERS}?${signed()}`, { method: 'HEAD' }],
  ['an older prefix', 200, `/api/v2/hl/tickers?${signed()}`],
  ['a slash at the end', 200, `${TICKERS}/?${signed()}`],
  ['a name that is encoded', 200, `${TICKERS}/coin/PURR%2FUSDC?${signed()}`],
  ['no signature', 401, TICKERS],
  ['a signature that is too old', 401, `${TICKERS}?${signed('demo', 99)}`],
  ['a key without permission', 403, `${TICKERS}?${signed('demo-bare')}`],
  ['a path that is none', 404, `${PREFIX}/nothing?${signed()}`],
  ['the prefix alone', 404, PREFIX],
  ['a wrong method', 405, `${TICKERS}?${signed()}`, { method: 'DELETE' }],
  ['a preflight', 204, TICKERS, { method: 'OPTIONS' }],
  ['a body', 200, `${STATES}?${signed()}`, { method: 'POST', body: '{"addresses":[]}' }],
  ['a body that is no JSON', 400, `${STATES}?${signed()}`, { method: 'POST', body: '{' }],
  ['a body too large', 413, `${STATES}?${signed()}`, { method: 'POST', body: 'x'.repeat(1.2e6) }],
  ['a socket requested as a page', 426, `${PREFIX}/hl/ws?${signed()}`],
  ['a socket, unsigned', 401, `${PREFIX}/hl/ws`],
  ['the venue’s own, which this sandbox does not serve', 404, '/info', { method: 'POST' }],
]

test("every response equals the server's, in each way", async () => {
  const { ways, ask } = await threeWays()
  for (const [name, status, path, init] of REQUESTS) {
    const [served, ...others] = await allOf(ways, async (way) => plain(await ask(way, path, init)))
    expect([name, served?.status]).toEqual([name, status])
    for (const other of others) expect([name, other]).toEqual([name, served as typeof other])
  }
})

/** Result of a request under a fault: a response, a part of one, or none. */
async function outcomeOf(requested: Promise<Response>) {
  try {
    const answer = await requested
    const text = await answer.text().catch(() => 'lost')
    return { status: answer.status, type: answer.headers.get('content-type'), text }
  } catch {
    return 'no answer'
  }
}

const FAULTS: [fault: string | object, seen: object | string][] = [
  [{ drop: { where: 'before' } }, 'no answer'],
  [{ drop: { where: 'middle' } }, { text: 'lost' }],
  [{ drop: { where: 'after' } }, { status: 200 }],
  ['truncate', { status: 200 }],
  [{ status: { status: 502 } }, { status: 502 }],
  [{ throttle: { bytesPerSecond: 1_000_000 } }, { status: 200 }],
]

test('faults of a scenario work as over HTTP', async () => {
  const { ways, ask, control } = await threeWays()
  for (const [fault, seen] of FAULTS) {
    const rules = [{ name: 'fault', on: { operation: '*' }, do: fault }]
    const set = { title: 'one fault', rules }
    expect((await control('PUT', '/sandboxes/default/scenario', set)).status).toBe(200)
    const [served, ...others] = await allOf(ways, (way) =>
      outcomeOf(ask(way, `${TICKERS}?${signed()}`)),
    )
    if (typeof seen === 'string') expect([fault, served]).toEqual([fault, seen])
    else expect([fault, served]).toMatchObject([fault, seen])
    for (const other of others) expect([fault, other]).toEqual([fault, served as typeof other])
  }
})

test('a delayed response is held until the clock of the sandbox has moved', async () => {
  const { ways, ask, control } = await threeWays()
  const rules = [{ name: 'slow', on: { operation: '*' }, do: { delay: { mean: 2000 } } }]
  await control('PUT', '/sandboxes/default/scenario', { title: 'slow', rules })
  for (const way of ways) {
    let isAnswered = false
    const answer = ask(way, `${TICKERS}?${signed()}`).finally(() => {
      isAnswered = true
    })
    const before = isAnswered
    let advances = 0
    for (; !isAnswered; advances++)
      await control('POST', '/sandboxes/default/clock/advance', { ms: 1000 })
    expect([way, before, advances > 0]).toEqual([way, false, true])
    expect((await answer).status).toBe(200)
  }
})

test('a client that stops waiting is released', async () => {
  const { ways, ask, control } = await threeWays()
  const rules = [{ name: 'slow', on: { operation: '*' }, do: { delay: { mean: 2000 } } }]
  await control('PUT', '/sandboxes/default/scenario', { title: 'slow', rules })
  for (const way of ways) {
    const abort = new AbortController()
    const requested = ask(way, `${TICKERS}?${signed()}`, { signal: abort.signal })
    abort.abort()
    await expect(requested).rejects.toThrow()
  }
})

test('a missing sandbox is reported', async () => {
  const closedServer = Bun.serve({ port: 0, fetch: () => new Response() })
  await closedServer.stop(true)
  const baseUrl = `http://127.0.0.1:${closedServer.port}`
  const stop = intercept(handlers({ baseUrl }, { origin: 'https://gone.example.com' }))
  const answer = await fetch(`https://gone.example.com${TICKERS}`)
  stop()
  expect(answer.status).toBe(502)
  expect(await answer.text()).toContain(`no sandbox answers at ${baseUrl}: start it`)
})
