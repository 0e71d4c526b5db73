/** Colours and progress: on a terminal, and nowhere else. */
import { beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { PROGRAM } from '../fixtures/program.ts'
import { shortTape } from '../fixtures/short-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const ESCAPE = '\u001b['
const RED = `${ESCAPE}31m`
const CONTROL_C = '\u0003'
const BOLD = `${ESCAPE}1m`

/** More lines than are read between two updates of the progress. */
const LINES = 25_000

beforeAll(async () => {
  const data = {
    coin: 'BTC',
    time: 1_700_000_000_005,
    levels: [[], [{ px: '7.0', sz: '1', n: 1 }]],
  }
  const frame = JSON.stringify({ channel: 'l2Book', data })
  writeFileSync(at('long.log'), `1700000000000000000 ${frame}\n`.repeat(LINES))
  await shortTape(at('short.tape.ndjson'))
})

const ASIDE = ['CI', 'NO_COLOR', 'FORCE_COLOR', 'TERM']

function environment(env: Record<string, string>) {
  const kept = Object.entries(process.env).filter(([name]) => !ASIDE.includes(name))
  return { ...Object.fromEntries(kept), TERM: 'xterm', ...env }
}

/** The output at a terminal. */
async function typed(words: string[], env: Record<string, string> = {}, untilSeen?: string) {
  let [screen, isEnding] = ['', false]
  const child = Bun.spawn([...PROGRAM, ...words], {
    env: environment(env),
    terminal: {
      cols: 120,
      rows: 50,
      data: (_, bytes) => {
        screen += new TextDecoder().decode(bytes)
        if (isEnding || untilSeen === undefined || !screen.includes(untilSeen)) return
        isEnding = true
        child.terminal?.write(CONTROL_C)
      },
    },
  })
  const code = await child.exited
  return { code, screen }
}

function piped(words: string[], env: Record<string, string> = {}) {
  const run = Bun.spawnSync([...PROGRAM, ...words], { env: environment(env) })
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() }
}

test('an error is red on a terminal that knows colours, unless NO_COLOR', async () => {
  const wrong = ['tape', 'info', 'defalt']
  expect((await typed(wrong)).screen).toStartWith(`${RED}tapewright:`)
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
    expect((await typed(wrong, env)).screen).toStartWith('tapewright: there is no tape')
})

test('what is piped has colours only with FORCE_COLOR', () => {
  const wrong = ['tape', 'info', 'defalt']
  expect(piped(wrong).err).toStartWith('tapewright: ')
  expect(piped(wrong, { FORCE_COLOR: '1' }).err).toStartWith(`${RED}tapewright:`)
  expect(piped(['--help']).out).not.toContain(ESCAPE)
  expect(piped(['--help'], { FORCE_COLOR: '1' }).out).toContain(BOLD)
})

test('titles of the help are bold on a terminal', async () => {
  expect((await typed(['serve', '--help'])).screen).toContain(`${BOLD}flags`)
})

const importing = (out: string) => ['tape', 'import', at('long.log'), '--out', at(out)]

test('an import shows its progress, and removes it', async () => {
  const { code, screen } = await typed(importing('a.tape.ndjson'))
  expect(code).toBe(0)
  expect(screen).toContain(`\r${ESCAPE}Kimporting: 10000 lines`)
  expect(screen).toContain(`\r${ESCAPE}Kimporting: 20000 lines\r${ESCAPE}K`)
  expect(screen).toContain(`${LINES} lines of venue-native`)
})

test('no progress is shown in a pipe or in CI', async () => {
  expect(piped(importing('b.tape.ndjson'))).toMatchObject({ code: 0, err: '' })
  expect((await typed(importing('c.tape.ndjson'), { CI: 'true' })).screen).not.toContain(ESCAPE)
})

test('a casting shows its progress, and removes it', async () => {
  const words = ['serve', '--port', '0', '--tape', at('short.tape.ndjson'), '--json']
  const env = { TAPEWRIGHT_CACHE: at('worlds') }
  const { code, screen } = await typed(words, env, '/_control')
  const lines = screen.replaceAll(`\r${ESCAPE}K`, '\n')
  expect([code, lines]).toEqual([0, expect.stringMatching(/\ncasting: \d+ %\n\{"baseUrl":/)])
})
