/** The same trouble, met by a naive client and by the one of the package. */
import { expect, test } from 'bun:test'
import { createSandbox } from 'tapewright'
import { LocalBook } from 'tapewright/client'
import { naiveClient } from './naive-client.js'

const naiveOf = ({ baseUrl, wsBaseUrl, keys }) => naiveClient({ baseUrl, wsBaseUrl, ...keys.full })

/** Both have followed something, and the market has gone on. */
async function afterwards(sandbox, ms) {
  await sandbox.control.await({ subscriptions: 2 })
  await sandbox.clock.advance(ms)
}

test('trades that come twice are counted twice, or once', async () => {
  await using sandbox = await createSandbox({ clock: 'held', scenario: 'repeated-fills' })
  const [naive, followed] = [[], []]
  let isOver = () => {}
  const both = new Promise((resolve) => {
    isOver = () => followed.length > 30 && naive.at(-1) === followed.at(-1) && resolve()
  })
  const stop = naiveOf(sandbox).follow({ type: 'trades', coin: 'BTC' }, (trades) => {
    naive.push(...trades.map(({ tid }) => tid))
    isOver()
  })
  sandbox.client().subscribe('trades', { coin: 'BTC' }, (trades) => {
    followed.push(...trades.map(({ tid }) => tid))
    isOver()
  })
  await afterwards(sandbox, 30_000)
  await both
  stop()
  expect(new Set(followed).size).toBe(followed.length)
  expect(naive.length).toBeGreaterThan(1.5 * followed.length)
})

test('a crossed book is a bargain, or no book', async () => {
  await using sandbox = await createSandbox({ clock: 'held', scenario: 'crossed-book' })
  let stop = () => {}
  const bargain = new Promise((resolve) => {
    stop = naiveOf(sandbox).follow({ type: 'l2Book', coin: 'BTC' }, ({ levels: [bids, asks] }) => {
      const profit = Number(bids[0]?.px) - Number(asks[0]?.px)
      if (profit > 0) resolve(profit)
    })
  })
  const refused = new Promise((resolve) => {
    new LocalBook(sandbox.client(), 'BTC', {
      onStatus: (status, why) => status === 'crossed' && resolve(why),
    })
  })
  await afterwards(sandbox, 8_000)
  expect(await bargain).toBeGreaterThan(0)
  expect(await refused).toContain('is not below its best ask')
  stop()
})

test('a page of a gateway is a fault of the parser, or of the gateway', async () => {
  await using sandbox = await createSandbox({ clock: 'held', scenario: 'html-errors' })
  const asked = (client) => Promise.allSettled([client(), client()])
  const naive = await asked(() => naiveOf(sandbox).get('/hl/tickers'))
  expect(naive.find(({ status }) => status === 'rejected').reason.name).toBe('SyntaxError')
  const { perpdex } = sandbox.client('full', { retries: 2 })
  const answer = await asked(() => perpdex.tickers())
  expect(answer.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})
