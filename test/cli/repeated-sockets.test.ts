/** Command lines in reports that repeat a socket's traffic. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { hostClock } from '../../src/clock/system-clock.ts'
import { shellCommand } from '../../src/conformance/reports/failure.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const at = temporaryFolder()
const { registry } = await recordedRegistry({ clock: 'running' }, hostClock)
const { origin } = await serveRegistry(registry)

/** Whether a command line can be run here. */
const hasAll = (...programs: string[]) => programs.every((name) => Bun.which(name) !== null)

/** Takes the arguments of a report, prints frames, and ends with its input. */
const WEBSOCAT = `
import { parseArgs } from 'node:util'
const options = { E: { type: 'boolean', short: 'E' }, B: { type: 'string', short: 'B' } }
const { positionals: [url] } = parseArgs({ options, allowPositionals: true })
const socket = new WebSocket(url)
await new Promise((opened) => { socket.onopen = opened })
let awaited = 0
let resume = () => {}
socket.onmessage = ({ data }) => { console.log(data); awaited--; resume() }
for await (const line of console) if (line !== '') { awaited++; socket.send(line) }
while (awaited > 0) await new Promise((one) => { resume = one })
process.exit(0)
`

test.skipIf(!hasAll('sh', 'openssl'))(
  'the command line of a socket sends its frames again, one by one',
  async () => {
    const frames = ['{"method":"ping"}', '{"method":"ping","note":"it\'s %s \\\\n"}']
    const line = shellCommand({
      kind: 'socket',
      afterMs: 0,
      address: `${origin.replace('http', 'ws')}/api/upgrade/v2/hl/ws`,
      signature: { by: 'full', in: 'query', ageS: 0, isAltered: false },
      frames: frames.map((text) => ({ afterMs: 0, from: 'suite' as const, text })),
      omitted: 0,
      closeCode: null,
      answer: null,
    })
    expect(line).toContain('; sleep 1; ')
    for (const [name, text] of [
      ['websocat', `#!/bin/sh\nexec "${process.execPath}" "${at('websocat.ts')}" "$@"\n`],
      ['sleep', '#!/bin/sh\n'],
    ] as const)
      writeFileSync(at(name), text, { mode: 0o755 })
    writeFileSync(at('websocat.ts'), WEBSOCAT)
    const keys = { ACCESS_KEY: 'demo', SECRET_KEY: 'demo-secret' }
    const env = { ...process.env, ...keys, PATH: `${at('.')}:${process.env.PATH}` }
    const output = await Bun.spawn(['sh', '-c', line], { env, stdout: 'pipe' }).stdout.text()
    expect(
      output
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one).channel),
    ).toEqual(['pong', 'pong'])
  },
)

test.skipIf(!hasAll('sh', 'curl', 'openssl'))(
  'the command line of a socket that was refused shows the refusal',
  async () => {
    const line = shellCommand({
      kind: 'socket',
      afterMs: 0,
      address: `${origin.replace('http', 'ws')}/api/upgrade/v2/hl/ws`,
      signature: { by: 'bare', in: 'query', ageS: 0, isAltered: false },
      frames: [],
      omitted: 0,
      closeCode: null,
      answer: { afterMs: 1, status: 403, contentType: 'application/json', text: '{}' },
    })
    const env = { ...process.env, ACCESS_KEY: 'demo-bare', SECRET_KEY: 'demo-bare-secret' }
    const output = await Bun.spawn(['sh', '-c', line], { env, stdout: 'pipe' }).stdout.text()
    expect(output).toStartWith('HTTP/1.1 403')
    expect(output).toContain('Permission denied')
  },
)
