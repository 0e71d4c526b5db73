/** Claims of clients, judged by the truth of their sandbox. */
import { expect, test } from 'bun:test'
import { createSandbox } from '../../src/index.ts'
import type { SandboxHandle } from '../../src/server/embedding/create-sandbox.ts'

interface Book {
  coin: string
  time: number
  levels: [{ px: string; sz: string }[], { px: string; sz: string }[]]
}

/** The newest book that a client of the sandbox has been pushed. */
async function followedBook(sandbox: SandboxHandle, coin = 'BTC') {
  const pushed: { book: Book; stale: boolean }[] = []
  sandbox
    .client()
    .subscribe('l2Book', { coin }, (book, { stale }) => void pushed.push({ book, stale }))
  await sandbox.control.await({ subscriptions: 1 })
  const newest = async () => {
    await sandbox.control.await({ queued: 0 })
    for (let tries = 0; pushed.length === 0 && tries < 1_000; tries++) await sandbox.clock.now()
    const { book, stale } = pushed.at(-1) as { book: Book; stale: boolean }
    return { time: book.time, bids: book.levels[0], asks: book.levels[1], stale }
  }
  return newest
}

const claimedBook = ({
  time,
  bids,
  asks,
}: Awaited<ReturnType<Awaited<ReturnType<typeof followedBook>>>>) =>
  ({ kind: 'book', coin: 'BTC', time, bids, asks }) as const

test('a book as it was pushed is true, and one with another level is wrong', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  const newest = await followedBook(sandbox)
  await sandbox.clock.advance(3_000)
  const book = await newest()
  const { claims } = sandbox.control
  expect((await claims.make(claimedBook(book))).verdict).toBe('true')
  const [first, ...rest] = book.bids
  const gone = await claims.make(claimedBook({ ...book, bids: rest }))
  expect(gone).toMatchObject({ verdict: 'wrong', sinceMs: book.time })
  expect(gone.why).toBe('it is not the book of BTC at its time')
  expect((gone.truth as { bids: unknown[] }).bids[0]).toEqual(first)
  const future = await claims.make(claimedBook({ ...book, time: book.time + 1e9 }))
  expect(future.verdict).toBe('wrong')
})

test('a book on its way is not held against a client, an expired one is', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  const newest = await followedBook(sandbox)
  const book = await newest()
  await sandbox.clock.advance(10_000)
  const { claims } = sandbox.control
  expect((await claims.make(claimedBook(book))).verdict).toBe('true')
  await sandbox.clock.advance(10_000)
  const late = await claims.make(claimedBook(book))
  expect(late).toMatchObject({ verdict: 'wrong', sinceMs: book.time + 10_000 })
  expect(late.why).toContain('a book expires after 10000 ms')
})

test('a book that the sandbox has falsified is open', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  const newest = await followedBook(sandbox)
  const rules = [{ on: { channel: 'l2Book' }, do: 'crossed-book' }]
  await sandbox.control.scenario.add({ name: 'crossed', title: 'Crossed', rules })
  await sandbox.clock.advance(3_000)
  const book = await newest()
  expect(Number(book.bids[0]?.px)).toBeGreaterThan(Number(book.asks[0]?.px))
  expect((await sandbox.control.claims.make(claimedBook(book))).verdict).toBe('open')
})

test('a stale mark that has had time to arrive must be heeded', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  const newest = await followedBook(sandbox)
  const { claims } = sandbox.control
  const stale = (held: boolean) =>
    claims.make({ kind: 'stale', channel: 'l2Book', coin: 'BTC', stale: held })
  await sandbox.clock.advance(2_000)
  expect((await stale(false)).verdict).toBe('true')
  expect((await stale(true)).verdict).toBe('wrong')
  await sandbox.control.playhead.set({ speed: 0 })
  await sandbox.clock.advance(40_000)
  expect((await newest()).stale).toBe(true)
  expect((await stale(false)).verdict).toBe('wrong')
  expect((await stale(true)).verdict).toBe('true')
})

test('subscriptions are those of open connections', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  await followedBook(sandbox)
  const { claims } = sandbox.control
  const claim = (coin: string) =>
    claims.make({ kind: 'subscribed', subscriptions: [{ channel: 'l2Book', coin }] })
  expect((await claim('BTC')).verdict).toBe('true')
  const other = await claim('ETH')
  expect(other.verdict).toBe('wrong')
  expect(other.why).toContain('"coin":"ETH"')
})

test('a position and fills agree with what the account did, each fill once', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  const { claims } = sandbox.control
  const { addresses } = await sandbox.control.cast()
  const address = addresses.maker ?? ''
  await sandbox.clock.advance(60_000)
  const now = await sandbox.clock.now()
  const { perpdex } = sandbox.client()
  const [state] = await perpdex.tradersClearinghouseState({ body: { addresses: [address] } })
  const [held] = state?.state.assetPositions ?? []
  const { coin = '', szi = '' } = held?.position ?? {}
  const position = (size: string) => claims.make({ kind: 'position', address, coin, szi: size })
  expect((await position(`${szi}${szi.includes('.') ? '0' : '.0'}`)).verdict).toBe('true')
  const wrong = await position('123456789')
  expect(wrong).toMatchObject({ verdict: 'wrong', truth: { szi } })
  const from = now - 3_600_000
  const { truth } = await claims.make({ kind: 'fills', address, from, tids: [] })
  const { tids } = truth as { tids: number[] }
  expect(tids.length).toBeGreaterThan(2)
  const fills = (list: number[]) => claims.make({ kind: 'fills', address, from, tids: list })
  expect((await fills(tids)).verdict).toBe('true')
  expect((await fills([...tids, tids[0] as number])).why).toContain('is counted twice')
  expect((await fills(tids.slice(1))).why).toContain('1 fills are missing')
  expect((await fills([...tids, 1])).why).toContain('there is no fill 1')
})

test('a candle is final once it is closed, and not before', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  await sandbox.clock.advance(150_000)
  const startTime = (await sandbox.clock.now()) - 300_000
  const found = await sandbox.client().perpdex.info({
    body: { type: 'candleSnapshot', req: { coin: 'BTC', interval: '1m', startTime } },
  })
  const candles = found ?? []
  const claim = ({ t, o, h, l, c, v }: (typeof candles)[number]) =>
    sandbox.control.claims.make({ kind: 'candle', coin: 'BTC', interval: '1m', t, o, h, l, c, v })
  const closed = candles.at(-2) as (typeof candles)[number]
  expect((await claim(closed)).verdict).toBe('true')
  expect((await claim({ ...closed, c: '1' })).why).toBe(`its c is ${closed.c}, not 1`)
  expect((await claim(candles.at(-1) as (typeof candles)[number])).why).toContain('is not closed')
})

test('a claim of a wrong form is refused with the right one', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  const { claims } = sandbox.control
  const refused = (given: object) =>
    claims.make(given as never).then(
      () => '',
      (error: Error) => error.message,
    )
  expect(await refused({})).toContain('kind')
  expect(await refused({ kind: 'bok' })).toContain('book')
  const message = await refused({ kind: 'book', coin: 'BTC', bids: [{ px: 'a', sz: '1' }] })
  expect(message).toContain('time is missing')
  expect(message).toContain('bids.0.px')
  expect(message).toContain('{"kind":"book","coin":"BTC","time":')
  expect(
    await refused({ kind: 'stale', channel: 'l2Book', coin: 'BTC', stale: true, t: 1 }),
  ).toContain('there is no "t"')
})

test('wrong claims are listed and counted, and a reset forgets them', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  const { claims, reset } = sandbox.control
  await claims.make({ kind: 'subscribed', subscriptions: [{ channel: 'bbo', coin: 'BTC' }] })
  await claims.make({ kind: 'subscribed', subscriptions: [] })
  const { claims: wrong, counts } = await claims.list({ verdict: 'wrong' })
  expect(wrong.map(({ claim }) => claim)).toEqual([1])
  expect(counts).toEqual({ true: 1, wrong: 1, open: 0 })
  await reset()
  expect((await claims.list()).counts).toEqual({ true: 0, wrong: 0, open: 0 })
})
