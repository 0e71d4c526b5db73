/**
 * Five ways through the code: which files a request, a push, a market event and an advance of the
 * clock run through. `bun run ways` prints them; with `--write` it also writes their chapter of
 * CONTRIBUTING.md.
 *
 * Each way runs in a process of its own under the coverage of `bun test` (`request-way-run.ts`),
 * and so does the same set-up without a way. A file is on a way when one of its functions runs more
 * often with it; loading a file is not enough.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from './install.ts'

/** A way: its name in `request-way-run.ts`, and how many files it may run through. */
interface Way {
  name: string
  title: string
  /** What happens on it, in the order of the modules below. */
  about: string
  /** The most files: lower it when files are merged, raise it only with a reason. */
  most: number
}

export const WAYS: readonly Way[] = [
  {
    name: 'read',
    title: 'A signed `GET /hl/tickers/coin/BTC`',
    about:
      'The server finds the operation and passes the request to the pipeline, which checks ' +
      'signature, permission and quota, reads the parameters, and calls the `answer` of the ' +
      'declaration; this puts its question to the facts of the world.',
    most: 46,
  },
  {
    name: 'info',
    title: '`POST /info` clearinghouseState',
    about:
      'The same with a body, whose `type` selects the answer. The state of an account is read ' +
      'from its packed history and valued at the mark prices of the moment.',
    most: 61,
  },
  {
    name: 'push',
    title: 'A push of `l2Book`',
    about:
      'The session clock moves, the playhead follows, and the player takes the rows whose time ' +
      'has come. The hub passes each event to the streams that it concerns; a stream makes one ' +
      'frame for all its subscribers, which waits in the queue of each socket.',
    most: 45,
  },
  {
    name: 'event',
    title: '`POST /_control/sandboxes/:id/market/events`',
    about:
      'The event is checked against the market, the sandbox moves to a branch of its own, and a ' +
      'thread cuts that branch from the world and grows its first two minutes: traders decide, ' +
      'the synthesised market executes.',
    most: 111,
  },
  {
    name: 'advance',
    title: '`POST /_control/sandboxes/:id/clock/advance`',
    about: 'The control plane moves the clock of a sandbox without subscribers by one second.',
    most: 40,
  },
]

const BEGIN = '<!-- ways: written by `bun run ways --write` -->\n'
const END = '<!-- end of ways -->'

/** The files of each way by its name, in the order of the modules. */
export async function tracedWays(): Promise<Map<string, string[]>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-coverage-'))
  try {
    const setUp = await coverageOf('none', folder)
    const files = new Map<string, string[]>()
    // Two at a time.
    for (let at = 0; at < WAYS.length; at += 2)
      await Promise.all(
        WAYS.slice(at, at + 2).map(async ({ name }) => {
          files.set(name, filesBetween(setUp, await coverageOf(name, folder)))
        }),
      )
    return files
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What ran of a file: how many of its functions, and each line how often. */
interface Coverage {
  functions: number
  lines: Map<number, number>
}

async function coverageOf(way: string, folder: string): Promise<Map<string, Coverage>> {
  const out = path.join(folder, way)
  const run = Bun.spawn(
    [
      ...[process.execPath, 'test', './scripts/request-way-run.ts', '--timeout', '600000'],
      ...['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${out}`],
    ],
    {
      cwd: ROOT,
      env: { ...process.env, TAPEWRIGHT_WAY: way },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const said = await Promise.all([run.stdout, run.stderr].map((one) => new Response(one).text()))
  if ((await run.exited) !== 0) throw new Error(`the way "${way}" failed:\n${said.join('')}`)
  return readLcov(await Bun.file(path.join(out, 'lcov.info')).text())
}

function readLcov(text: string): Map<string, Coverage> {
  const files = new Map<string, Coverage>()
  let file: Coverage = { functions: 0, lines: new Map() }
  for (const line of text.split('\n')) {
    const [key, value = ''] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]
    if (key === 'SF') {
      file = { functions: 0, lines: new Map() }
      files.set(value.replaceAll('\\', '/'), file)
    } else if (key === 'FNH') file.functions = Number(value)
    else if (key === 'DA') {
      const [number, count] = value.split(',').map(Number)
      if (number !== undefined && count !== undefined) file.lines.set(number, count)
    }
  }
  return files
}

function filesBetween(before: Map<string, Coverage>, after: Map<string, Coverage>): string[] {
  const files = [...after.entries()].flatMap(([file, { functions, lines }]) => {
    if (!file.startsWith('src/')) return []
    const known = before.get(file)
    const ranMore = [...lines].some(([line, count]) => count > (known?.lines.get(line) ?? count))
    return ranMore || functions > (known?.functions ?? 0) ? [file] : []
  })
  return files.sort((a, b) => moduleOrder(a) - moduleOrder(b) || (a < b ? -1 : 1))
}

const MODULES = 'server sandbox tape market contract clock decimal platform random'.split(' ')

/** Modules from the outside to the leaves. */
const moduleOrder = (file: string) => MODULES.indexOf(file.split('/')[1] ?? '')

/** The chapter of the ways, in Markdown: the files of each by folder. */
export function waysChapter(files: ReadonlyMap<string, readonly string[]>): string {
  const chapters = WAYS.map(({ name, title, about }) => {
    const way = files.get(name) ?? []
    const folders = Map.groupBy(way, (file) => path.dirname(file))
    const list = [...folders].map(([folder, inside]) => {
      const names = inside.map((file) => path.basename(file).replace(/\.tsx?$/, ''))
      return `- \`${folder}\`: ${names.join(', ')}`
    })
    return `### ${title}: ${way.length} files\n\n${about}\n\n${list.join('\n')}\n`
  })
  return chapters.join('\n')
}

const PAGE = path.join(ROOT, 'CONTRIBUTING.md')

/** The chapter as it stands in CONTRIBUTING.md. */
export async function writtenChapter(): Promise<string> {
  const text = await Bun.file(PAGE).text()
  return text.slice(text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END))
}

async function writeChapter(chapter: string): Promise<void> {
  const text = await Bun.file(PAGE).text()
  const [head, tail] = [text.slice(0, text.indexOf(BEGIN)), text.slice(text.indexOf(END))]
  await Bun.write(PAGE, `${head}${BEGIN}${chapter}${tail}`)
}

if (import.meta.main) {
  const chapter = waysChapter(await tracedWays())
  if (process.argv.includes('--write')) await writeChapter(chapter)
  else console.log(chapter)
}
