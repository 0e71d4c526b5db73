/** A server whose event loop is blocked: it names the work, its health is correct, and it ends. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { pause } from '../fixtures/pause.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const temporary = temporaryFolder()

interface Health {
  live: boolean
  ready: boolean
  why?: string
}

const BLOCKED = 'blocked from now on'

/** Makes one call of the control plane an endless loop, which begins with a line. */
const PLANT = `
import { writeSync } from 'node:fs'
import { digest } from '${PROJECT_FOLDER}/src/server/control/operations/digest.ts'
digest.answer = () => { writeSync(2, '${BLOCKED}'); for (;;); }
`

async function plantedServer(hangLimitS: number) {
  const folder = temporary('watchdog')
  const plant = path.join(folder, 'plant.ts')
  await Bun.write(plant, PLANT)
  const state = path.join(folder, 'state.sqlite')
  const healthPort = freePort()
  const main = path.join(PROJECT_FOLDER, 'src', 'main.ts')
  const flags = ['--port', '0', '--json', '--state', state, '--health-port', String(healthPort)]
  const child = Bun.spawn(
    [
      process.execPath,
      '--preload',
      plant,
      main,
      'serve',
      ...flags,
      '--hang-limit',
      `${hangLimitS}`,
    ],
    { stdout: 'pipe', stderr: 'pipe', cwd: folder },
  )
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const { value = '' } = await lines.read()
  const { baseUrl: url } = JSON.parse(value) as { baseUrl: string }
  const control = (method: string, call: string, body?: object) =>
    fetch(`${url}/_control${call}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const health = async () =>
    (await (await fetch(`http://127.0.0.1:${healthPort}/`)).json()) as Health
  /** Never answered. */
  const hold = () => void control('GET', '/sandboxes/default/digest').catch(() => {})
  const output = child.stderr.pipeThrough(new TextDecoderStream())
  return { child, control, health, hold, output, state }
}

function freePort(): number {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = probe
  probe.stop(true)
  return port as number
}

const HELD = 's by digest of sandbox "default"\n'

/** The output up to a text; the stream continues. */
async function until(output: ReadableStream<string>, text: string): Promise<string> {
  let all = ''
  const reader = output.getReader()
  while (!all.includes(text)) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`it ended without saying so: ${all}`)
    all += value
  }
  reader.releaseLock()
  return all
}

test('a blocked server names the work, is not live, and ends with its state whole', async () => {
  const { child, control, health, hold, output, state } = await plantedServer(6)
  expect(await health()).toMatchObject({ live: true, ready: true })
  const made = await control('POST', '/sandboxes/default/keys', { kind: 'direct' })
  expect(made.status).toBe(200)
  const { accessKey } = (await made.json()) as { accessKey: string }
  hold()
  expect(await until(output, HELD)).toEndWith(HELD)
  let now = await health()
  while (now.live) {
    await pause()
    now = await health()
  }
  expect(now).toMatchObject({ live: false, ready: false })
  expect(now.why).toContain('by digest of sandbox "default"')
  expect(await child.exited).toBe(70)
  expect(await until(output, 'what was answered is stored\n')).toContain('ending with code 70')
  const { openStateFile } = await import('../../src/sandbox/state-file/state-file.ts')
  const store = openStateFile(state)
  const kept = JSON.stringify([...store.sandboxes()])
  store.close()
  expect(kept).toContain(accessKey)
})

test('SIGTERM ends a blocked server', async () => {
  const { child, hold, output } = await plantedServer(0)
  hold()
  await until(output, HELD)
  child.kill('SIGTERM')
  await child.exited
  expect(child.signalCode).toBe('SIGTERM')
})

test('SIGTERM at the start of a block ends the server without a second one', async () => {
  const { child, health, hold, output } = await plantedServer(0)
  // The watchdog is there once its port answers.
  await health()
  hold()
  await until(output, BLOCKED)
  child.kill('SIGTERM')
  await child.exited
  expect(child.signalCode).toBe('SIGTERM')
})

test('SIGTERM to a server that is not blocked ends it in order', async () => {
  const { child, output } = await plantedServer(0)
  child.kill('SIGTERM')
  expect(await until(output, 'SIGTERM: ending')).toContain('answers in flight')
  expect(await child.exited).toBe(0)
})
