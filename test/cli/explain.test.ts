/** `tapewright explain` prints the answer, what decided and the mend. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { PREFIX, serveRegistry } from '../fixtures/test-server.ts'

const { registry } = await recordedRegistry({ clock: 'running' }, hostClock)
const { origin } = await serveRegistry(registry)

async function explain(...words: string[]) {
  const child = Bun.spawn([...PROGRAM, 'explain', ...words], { stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ])
  return { lines: out.trim().split('\n'), err, code }
}

test('the answer comes first, then what decided, what to do, and each check', async () => {
  const path = `${PREFIX}/futures/funding-rate/history?interval=1h&symbol=btcswap:binance`
  const { lines, code } = await explain(`${origin}${path}`, '--sign-with', 'demo:demo-secret')
  expect(code).toBe(0)
  expect(lines[0]).toBe(
    '400 {"code":"400","msg":"Unsupported symbol: btcswap:binance","data":null}',
  )
  expect(lines).toContain('answer: Unsupported symbol: btcswap:binance')
  expect(lines).toContain('what to do: did you mean btcswapusdt:binance?')
  expect(lines.filter((line) => line.startsWith('✗'))).toHaveLength(1)
})

test('--sign-with signs the request, so that the answer is what that key gets', async () => {
  const words = [`${PREFIX}/hl/tickers`, '--port', new URL(origin).port, '--json']
  const answerOf = async (key: string) => {
    const { lines } = await explain(...words, '--sign-with', key)
    const { answer, reason } = JSON.parse(lines.join(''))
    return [answer.status, reason?.check ?? null]
  }
  expect(await answerOf('demo:demo-secret')).toEqual([200, null])
  expect(await answerOf('demo-bare:demo-bare-secret')).toEqual([403, 'permission'])
  expect(await answerOf('demo:wrong')).toEqual([401, 'signature'])
  const { err, code } = await explain(...words, '--sign-with', 'demo')
  expect([code, err]).toEqual([1, expect.stringContaining('--sign-with must be KEY:SECRET')])
})

test('a path is one of the server at the port, and a body has a content type', async () => {
  const { port } = new URL(origin)
  const words = ['/s/none/x', '--port', port, '--method', 'POST', '--body', '{}', '--json']
  const { lines, code } = await explain(...words)
  expect(code).toBe(0)
  expect(JSON.parse(lines.join(''))).toMatchObject({
    answer: { status: 404 },
    reason: { check: 'sandbox', detail: 'there is no sandbox "none"' },
  })
})

test('a server that is not there, and what is no URL, are named', async () => {
  const { err, code } = await explain('http://127.0.0.1:1/x')
  expect([code, err]).toEqual([1, expect.stringContaining('http://127.0.0.1:1 cannot be reached')])
  expect((await explain('ftp://x')).err).toContain('"ftp://x" is no URL')
})
