/** Every example of the help and of docs/commands.md is typed as it stands, and does something. */
import { beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { everyCommand } from '../../src/commands/command.ts'
import { COMMANDS } from '../../src/commands/index.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { writeTape } from '../fixtures/sample-tape.ts'
import { listeningOrigin } from '../fixtures/serve-process.ts'
import { shortTape } from '../fixtures/short-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const at = temporaryFolder()

const TICKERS = '{"code":"0","msg":"success","data":[{"coin":"BTC","price":"94756"}]}'

/** The server that the examples of other commands speak of. */
const { registry } = await recordedRegistry({ clock: 'running' }, hostClock)
const { origin } = await serveRegistry(registry)

/** The files that the examples name. */
beforeAll(async () => {
  for (const day of ['monday', 'tuesday']) {
    const data = { coin: 'BTC', time: 5, levels: [[], [{ px: '7.0', sz: '1', n: 1 }]] }
    const frame = JSON.stringify({ channel: 'l2Book', data })
    writeFileSync(at(`${day}.log`), `1700000000000000000 ${frame}\n`)
    await shortTape(at(`${day}.tape.ndjson.zst`))
  }
  const asked = {
    startedMs: 5,
    method: 'GET',
    url: '/api/upgrade/v2/hl/tickers',
    requestHeaders: {},
  }
  const headers = { 'content-type': 'application/json' }
  const answered = { status: 200, headers, responseBody: TICKERS }
  await writeTape(at('session.tape.ndjson'), [
    { time: 5, kind: 'exchange', coin: '', data: { ...asked, requestBody: '', ...answered } },
  ])
  const candles = [
    '1768471200,96100,96350,96050,96300,980',
    '1768474800,96300,96520,96180,96400,1250',
  ]
  writeFileSync(at('btc-1h.csv'), `time,open,high,low,close,volume\n${candles.join('\n')}\n`)
})

/** Whether it goes on until somebody ends it. */
const isLasting = (words: string) => /^(serve|record)\b/.test(words)

function run(words: string) {
  const typed = words.replaceAll('http://127.0.0.1:4010', origin).split(' ')
  // Two may be typed at once, and none must find the port of the other.
  const port = isLasting(words) && !typed.includes('--port') ? ['--port', '0'] : []
  return Bun.spawn([...PROGRAM, ...typed, ...port], {
    cwd: path.dirname(at('monday.log')),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

for (const { name, declaration } of everyCommand(COMMANDS))
  for (const { words } of declaration.examples)
    test(`tapewright ${words}`, async () => {
      expect(words).toStartWith(name)
      const child = run(words)
      if (isLasting(words)) {
        const answer = await fetch(`${await listeningOrigin(child)}/_control/health`)
        expect(answer.status).toBe(200)
        child.kill()
      }
      const [out, err, code] = await Promise.all([
        isLasting(words) ? '-' : child.stdout.text(),
        child.stderr.text(),
        child.exited,
      ])
      expect([code, code === 0 ? '' : err]).toEqual([0, ''])
      expect(out).not.toBe('')
      if (words.includes('--json') && !isLasting(words))
        for (const line of out.trim().split('\n')) JSON.parse(line)
    })
