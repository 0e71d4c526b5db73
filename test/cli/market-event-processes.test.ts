/** The same script in two processes, one of which is slower: the same market. */
import { beforeAll, expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { listeningAt, serveProcesses } from '../fixtures/serve-process.ts'
import { shortTapeCast } from '../fixtures/short-tape.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const file = temporaryFolder()
const start = serveProcesses(file('cache'))
beforeAll(() => shortTapeCast(file('short.tape.ndjson'), file('cache')))

/** The responses after a script, in steps of so many ms. */
async function answered(origin: string, stepMs: number): Promise<string[]> {
  const control = async (path: string, body?: object) => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const answer = await fetch(`${origin}/_control/sandboxes/default/${path}`, sent)
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${text}`)
    return text
  }
  const advance = async (ms: number) => {
    for (let left = ms; left > 0; left -= stepMs)
      await control('clock/advance', { ms: Math.min(stepMs, left) })
  }
  await advance(60_000)
  const fall = { kind: 'move', coin: 'BTC', pct: -3, overS: 60, revertPct: 50 }
  const scheduled = await control('market/events', fall)
  await advance(90_000)
  await control('market/events', { kind: 'whale', coin: 'ETH', side: 'buy', usd: 300_000 })
  await advance(60_000)
  const key = { accessKey: 'demo' }
  const get = async (path: string) => {
    const query = `${path.includes('?') ? '&' : '?'}${signedQuery(key, hostClock)}`
    return (await fetch(`${origin}/api/upgrade/v2${path}${query}`)).text()
  }
  const paths = [
    '/hl/tickers',
    '/hl/fills/top-trades?coin=BTC&interval=1h',
    '/hl/liquidations/stat',
    '/hl/whales/latest-events',
  ]
  const answers = await Promise.all(paths.map(get))
  return [scheduled, await control('market/events'), ...answers, await control('digest')]
}

test('two processes with the same market events have the same output', async () => {
  const args = ['--tape', file('short.tape.ndjson'), '--clock', 'held', '--epoch', 'tape']
  const [one, other] = [start(args), start(args)]
  const answers = [
    await answered(await listeningAt(one), 20_000),
    await answered(await listeningAt(other), 90_000),
  ]
  expect(answers[0]).toEqual(answers[1] as string[])
  expect(answers[0]?.[1]).toContain('"state":"done"')
  for (const answer of answers[0]?.slice(2, -1) ?? []) expect(answer).toContain('"code":"0"')
  expect(answers[0]?.at(-1)).toContain('"answers":4,"frames":0')
})
