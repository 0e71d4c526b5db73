/**
 * Clients in other languages beside their naive twins, in one sandbox for each scenario: both have
 * the same faults at the same instants.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { hostClock } from '../../src/clock/system-clock.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'
import { canRun, type Example, FOLLOWERS, folderOf, READERS, titleOf } from './languages.ts'

const at = temporaryFolder()
const { registry } = await recordedRegistry({ clock: 'running' }, hostClock)
const { control } = await serveRegistry(registry)

const children: Bun.Subprocess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** A sandbox with a held clock, and requests to it. */
async function sandboxWith(scenario: string | null) {
  const made = await control('POST', '/sandboxes', { clock: 'held', ...(scenario && { scenario }) })
  const { id, baseUrl, keys } = made.body as typeof made.body & { id: string }
  return {
    words: [baseUrl, keys.full.accessKey, keys.full.secretKey],
    advance: (ms: number) => control('POST', `/sandboxes/${id}/clock/advance`, { ms }),
    wait: async (what: object) => {
      // A toolchain may take long to start on a busy machine.
      while ((await control('POST', `/sandboxes/${id}/await`, what)).status !== 200);
    },
    use: (name: string) => control('PUT', `/sandboxes/${id}/scenario`, { name }),
    drop: () => control('DELETE', `/sandboxes/${id}`),
  }
}

/** A program that runs until it is ended, and its output so far. */
function started(command: readonly string[], cwd: string) {
  const child = Bun.spawn([...command], {
    cwd,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, PAUSE_S: '0.05', PYTHONDONTWRITEBYTECODE: '1' },
  })
  children.push(child)
  const lines: string[] = []
  let wake = () => {}
  const reading = (async () => {
    let rest = ''
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
      wake()
    }
    wake()
  })()
  return {
    lines,
    /** Waits until the output is as expected; an Error when the program ends before. */
    async until(wanted: (lines: readonly string[]) => boolean): Promise<void> {
      while (!wanted(lines)) {
        if (child.exitCode !== null)
          throw new Error(`${lines.join('\n')}${await child.stderr.text()}`)
        await new Promise<void>((resume) => {
          wake = resume
        })
      }
    },
    async end(): Promise<void> {
      child.kill('SIGKILL')
      await child.exited
      await reading
    },
  }
}

/** Both of them on a sandbox, built before. */
async function both(example: Example, words: readonly string[]) {
  const into = at(example.name.replaceAll(/\W/g, '-'))
  const cwd = folderOf(example)
  if (example.build && mkdirSync(into, { recursive: true }) !== undefined) {
    const { exitCode, stderr } = Bun.spawnSync([...example.build(into)], { cwd })
    expect([exitCode, exitCode === 0 ? '' : stderr.toString()]).toEqual([0, ''])
  }
  const run = (command: readonly string[]) => started([...command, ...words], cwd)
  return { client: run(example.client(into)), naive: run(example.naive(into)) }
}

const orders = (lines: readonly string[]) => lines.filter((line) => line.startsWith('order at '))
const isOrder = (line: string) => line.startsWith('order at ')

for (const example of FOLLOWERS)
  describe.skipIf(!canRun(example))(titleOf(example), () => {
    test('signs requests, and survives lost sockets', async () => {
      const { words, advance, wait, drop } = await sandboxWith('flaky-sockets')
      const { client, naive } = await both(example, words)
      await wait({ connections: 2, subscriptions: 4 })
      await advance(20_000)
      for (const one of [client, naive]) await one.until((lines) => lines.some(isOrder))
      expect([client.lines[0], naive.lines[0]]).toEqual(['BTC costs 96412', 'BTC costs 96412'])
      // At half a minute both lose their connection; one of them reconnects.
      await advance(15_000)
      await wait({ connections: 1, subscriptions: 2 })
      await advance(20_000)
      const isBack = (lines: readonly string[]) =>
        lines.slice(lines.indexOf('connected') + 1).includes('connected') &&
        lines.slice(lines.lastIndexOf('connected')).some(isOrder)
      await client.until(isBack)
      expect(client.lines.some((line) => line.startsWith('lost ('))).toBe(true)
      await naive.end()
      expect(naive.lines.filter((line) => line === 'connected')).toHaveLength(1)
      await client.end()
      await drop()
    })

    test('places no order on a book that stands still, as its naive twin does', async () => {
      const { words, advance, wait, drop } = await sandboxWith('stale-book')
      const { client, naive } = await both(example, words)
      await wait({ connections: 2, subscriptions: 4 })
      for (let step = 0; step < 10; step++) await advance(4_000)
      await client.until((lines) => lines.filter((line) => line.startsWith('no order')).length > 5)
      await naive.until((lines) => orders(lines).length > 10)
      const firstRefused = client.lines.findIndex((line) => line.startsWith('no order'))
      expect(client.lines.slice(0, firstRefused).some(isOrder)).toBe(true)
      expect(client.lines.slice(firstRefused).filter(isOrder)).toEqual([])
      // The same price again and again, at which there is no offer any more.
      expect(new Set(orders(naive.lines).slice(-5)).size).toBe(1)
      await Promise.all([client.end(), naive.end()])
      await drop()
    })
  })

for (const example of READERS)
  test.skipIf(!canRun(example))(
    `${titleOf(example)} signs again and checks its answers, as its naive twin does not`,
    async () => {
      const { words, advance, use, drop } = await sandboxWith(null)
      const { client, naive } = await both(example, words)
      const hasPrice = (lines: readonly string[]) => lines.at(-1) === 'BTC costs 96412'
      await client.until(hasPrice)
      await naive.until(hasPrice)
      await advance(31_000)
      const hasNone = (lines: readonly string[]) => lines.at(-1) === 'BTC costs '
      await naive.until(hasNone)
      const seen = client.lines.length
      await client.until((lines) => lines.slice(seen + 1).some((line) => /costs \d/.test(line)))
      await use('html-errors')
      await client.until((lines) => lines.some((line) => line.startsWith('no price (')))
      const troubled = client.lines.length
      await client.until((lines) => lines.slice(troubled).some((line) => /costs \d/.test(line)))
      expect(client.lines).not.toContain('BTC costs ')
      await Promise.all([client.end(), naive.end()])
      await drop()
    },
  )
