/** `createSandbox` on Node: the server is a process, which Bun runs. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { control } from '../../src/clients/control/control.ts'
import { nodeFlaw } from '../../src/server/embedding/node.ts'
import { NODE } from '../fixtures/machine-node.ts'
import {
  buildForNode,
  type NodeProcess,
  pathWithNodeOnly,
  startNode,
} from '../fixtures/node-program.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const file = temporaryFolder()
const folder = file('library')
const started: NodeProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function start(code: string, env = {}, where = folder): NodeProcess {
  const child = startNode(where, code, env)
  started.push(child)
  return child
}

/** The output of a program that has ended by itself. */
async function outputOf(code: string, env = {}, where = folder): Promise<string[]> {
  const child = start(code, env, where)
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return [...output.trim().split('\n'), ...(errors === '' ? [] : [errors])]
}

/** The first line of a running program. */
async function firstLine({ stdout }: NodeProcess): Promise<string> {
  let text = ''
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('\n')) break
  }
  return text.split('\n')[0] ?? ''
}

const MESSAGE = '.catch(({ name, message }) => console.log(name + ": " + message))'

describe.skipIf(NODE === null)('with the node of this machine', () => {
  beforeAll(() => buildForNode(folder))

  test('a sandbox is made, called, moved and closed, and the program ends by itself', async () => {
    const code = `
      const sandbox = await tapewright.createSandbox({ name: 'mine', clock: 'held' })
      const startMs = await sandbox.clock.now()
      console.log(sandbox.baseUrl.replace(/\\d+\\/s/, 'PORT/s'))
      console.log((await sandbox.client().perpdex.tickers()).length > 0)
      console.log(await sandbox.clock.advance(5000) - startMs)
      await sandbox[Symbol.asyncDispose]()
      await sandbox.close()
      await sandbox.clock.now()${MESSAGE}`
    expect(await outputOf(code)).toEqual([
      'http://127.0.0.1:PORT/s/mine',
      'true',
      '5000',
      'ControlError: sandbox "mine": it is closed; make another one with createSandbox()',
    ])
  })

  test('all sandboxes of a program share a server, also one after another', async () => {
    const code = `
      const make = () => tapewright.createSandbox()
      const ports = new Set()
      const many = await Promise.all(Array.from({ length: 20 }, make))
      for (const one of many) ports.add(new URL(one.baseUrl).port)
      await Promise.all(many.map((one) => one.close()))
      const next = await make()
      ports.add(new URL(next.baseUrl).port)
      console.log(ports.size, new Set(many.map(({ id }) => id)).size)
      await next.close()`
    expect(await outputOf(code)).toEqual(['1 20'])
  })

  test('a program that forgets its sandbox ends, and the server with it', async () => {
    const code = 'console.log((await tapewright.createSandbox()).baseUrl)'
    const [url = ''] = await outputOf(code)
    await untilNoSubscriber(url)
  })

  test('the server ends when the program is killed', async () => {
    const code = `
      console.log((await tapewright.createSandbox()).baseUrl)
      setInterval(() => {}, 1000)`
    const child = start(code)
    const url = await firstLine(child)
    expect((await control(new URL(url).origin).health()).ready).toBe(true)
    child.kill('SIGKILL')
    await untilNoSubscriber(url)
  })

  test('the next call reports a server that has ended by itself', async () => {
    const where = file('mortal')
    await buildForNode(where, 'console.error("here I am")\nimport("../library/main.js")')
    const code = `
      const sandbox = await tapewright.createSandbox({ name: 'mine' })
      const { stdout } = await import('node:child_process').then(({ spawnSync }) =>
        spawnSync('ps', ['-o', 'pid=', '--ppid', String(process.pid)], { encoding: 'utf8' }))
      const server = stdout.trim().split('\\n').map(Number)[0]
      process.kill(server, 'SIGKILL')
      await sandbox.clock.now()${MESSAGE}
      await sandbox.close()
      const next = await tapewright.createSandbox({ name: 'next' })
      console.log(next.id)
      await next.close()`
    const [first, , last] = await outputOf(code, {}, where)
    expect(first).toBe(
      'ControlError: sandbox "mine": its server ended with signal SIGKILL, and printed:',
    )
    expect(last).toBe('next')
  })

  test('a server that does not start is reported with its output', async () => {
    const where = file('broken')
    await buildForNode(where, 'console.error("the disk is on fire"); process.exit(3)')
    const code = `await tapewright.createSandbox()${MESSAGE}`
    expect(await outputOf(code, {}, where)).toEqual([
      'SandboxError: the server did not start: it ended with code 3, and printed:',
      'the disk is on fire',
    ])
  })

  test('without Bun the error says where to get it', async () => {
    const PATH = pathWithNodeOnly(file('path'))
    const [text = ''] = await outputOf(`await tapewright.createSandbox()${MESSAGE}`, { PATH })
    expect(text).toStartWith('SandboxError: the server runs on Bun, which is not here')
  })

  test('a server named in the environment is used, and none is started', async () => {
    const code = `
      const own = await tapewright.createSandbox()
      process.env.TAPEWRIGHT_URL = new URL(own.baseUrl).origin
      const other = await tapewright.createSandbox({ name: 'other' })
      console.log(other.baseUrl === process.env.TAPEWRIGHT_URL + '/s/other')
      await Promise.all([own.close(), other.close()])`
    expect(await outputOf(code)).toEqual(['true'])
  })

  test('an import does nothing', async () => {
    expect(await outputOf('console.log(typeof tapewright.createSandbox)')).toEqual(['function'])
  })
})

/** A server notices the end of its parent process, and then needs a moment. */
async function untilNoSubscriber(url: string): Promise<void> {
  const requested = control(new URL(url).origin)
  for (;;) {
    const error = await requested.health().then(
      () => null,
      (thrown: { code: string }) => thrown,
    )
    if (error?.code === 'unreachable') return
  }
}

test('both libraries have the same names', async () => {
  const [onBun, onNode] = [
    await import('../../src/index.ts'),
    await import('../../src/index-node.ts'),
  ]
  expect(Object.keys(onNode)).toEqual(Object.keys(onBun))
})

test('a Node that is too old is reported', () => {
  expect(nodeFlaw('18.20.1')).toBe(
    'tapewright needs Node 20 or later, this is Node 18.20.1: install a newer one',
  )
  expect([nodeFlaw('20.0.0'), nodeFlaw('26.1.0')]).toEqual([null, null])
})
