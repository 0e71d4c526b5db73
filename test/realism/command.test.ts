import { expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { FIGURE_GROUPS } from '../../bench/realism/figures/all-figures.ts'
import { writeRealism } from '../../bench/realism/writing.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { historyTape } from '../fixtures/written-candles.ts'

const file = temporaryFolder()
const PICTURE_BYTES_MAX = 200_000

test('a page, small pictures of each world, and the same bytes when it runs again', async () => {
  const tape = file('short.tape.ndjson')
  await historyTape(tape)
  const write = (out: string) =>
    writeRealism({
      tape,
      seeds: [1],
      days: 0,
      compared: [],
      moods: [],
      crashes: false,
      tapes: null,
      out: file(out),
      cacheDir: file('cache'),
      log: () => {},
    })
  await write('first')
  await write('second')
  expect(await contents(file('first'))).toEqual(await contents(file('second')))
  const page = await Bun.file(file('first/realism.md')).text()
  for (const { figures } of FIGURE_GROUPS)
    for (const { title } of figures) expect(page).toContain(`| ${title} |`)
  for (const picture of ['seed-1-market.svg', 'seed-1-positions.svg']) {
    expect(page).toContain(`(realism/${picture})`)
    const place = file(`first/realism/${picture}`)
    expect(statSync(place).size).toBeWithin(5000, PICTURE_BYTES_MAX)
    expect(await Bun.file(place).text()).not.toMatch(/NaN|Infinity|undefined/)
  }
})

test('measurements of real data are kept where there is none', async () => {
  const values = { 'signs-1': 0.187 }
  const column = { name: 'real data', values, seams: [] }
  const world = { name: 'real tape', values: {}, seams: [] }
  await Bun.write(file('kept/realism/recorded.json'), JSON.stringify({ data: column, world }))
  await writeRealism({
    tape: file('short.tape.ndjson'),
    seeds: [1],
    days: 0,
    compared: [],
    moods: [],
    crashes: false,
    tapes: null,
    out: file('kept'),
    cacheDir: file('cache'),
    log: () => {},
  })
  const page = await Bun.file(file('kept/realism.md')).text()
  expect(page).toMatch(/signs of takers' orders, lag 1 \| .* \| 0\.187 \|/)
  expect(page).toContain('(realism/recording-market.svg)')
})

test('a missing folder and invalid seeds are refused at once', () => {
  for (const [words, scheduled] of [
    [['--tapes', 'nowhere'], 'realism: --tapes: there is no folder nowhere\n'],
    [
      ['--seeds', '1,x'],
      'realism: --seeds must be whole numbers with commas between them, not "1,x"\n',
    ],
  ] as const) {
    const out = file(`refused-${words[0]}`)
    const run = Bun.spawnSync(
      [process.execPath, 'bench/realism/realism.ts', ...words, '--out', out],
      {
        cwd: PROJECT_FOLDER,
      },
    )
    expect([run.exitCode, run.stderr.toString()]).toEqual([1, scheduled])
    expect(() => readdirSync(out)).toThrow('ENOENT')
  }
})

async function contents(folder: string): Promise<[string, string][]> {
  const names = (readdirSync(folder, { recursive: true }) as string[]).sort()
  const files = names.filter((name) => statSync(path.join(folder, name)).isFile())
  return Promise.all(
    files.map(
      async (name): Promise<[string, string]> => [
        name,
        await Bun.file(path.join(folder, name)).text(),
      ],
    ),
  )
}
