/**
 * Adding an operation is adding one file: a copy of the project gets one more and regenerates its
 * files. Compares the changes with the list in CONTRIBUTING.
 */
import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { declarationLists } from '../../scripts/declaration-lists.ts'
import { ROOT } from '../../scripts/install.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const FILE = 'src/contract/operations/perpdex/mid-prices.ts'

const DECLARATION = `import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { Decimal, Type } from '../../schema.ts'

export const midPrices = operation({
  id: 'perpdex.midPrices',
  method: 'GET',
  path: '/hl/mid-prices',
  title: 'Mid prices of all coins',
  source: 'Action map',
  envelope: B(),
  access: permission('HL_MID_PRICES'),
  data: Type.Record(Type.String(), Decimal('mid price')),
  examples: [{ name: 'all coins' }],
  answer: (_, facts) => facts.venue.allMids(''),
})
`

/** The types of the copy's client. */
const TYPED = `import { client } from './src/clients/service/client.ts'

export const answered = (): Promise<Record<string, string>> =>
  client({ baseUrl: '', accessKey: '', secretKey: '' }).perpdex.midPrices()
`

/** Other places with the operation. */
const PROBE = `import { DERIVED_CASES } from './src/conformance/derived.ts'
import { REQUIREMENTS } from './src/conformance/requirements.ts'
import { ACTIONS } from './src/contract/actions.ts'
import { openapiText } from './src/contract/documents/openapi.ts'

const id = 'perpdex.midPrices'
const { paths } = JSON.parse(openapiText()) as { paths: object }
console.log(
  JSON.stringify({
    paths: Object.keys(paths).filter((one) => one.includes('mid-prices')),
    cases: DERIVED_CASES.map((one) => one.id).filter((one) => one.includes(id)),
    requirements: REQUIREMENTS.flatMap((one) => (one.derived?.of.includes(id) ? one.id : [])),
    action: ACTIONS.has('HL_MID_PRICES'),
  }),
)
`

/** A writable copy of the project. */
function copyOfProject(copy: string): string {
  mkdirSync(copy)
  mkdirSync(path.join(ROOT, '.cache'), { recursive: true })
  const written = ['src', 'scripts', 'docs', 'scenarios']
  for (const part of [...written, 'README.md', 'package.json', 'tsconfig.json'])
    cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true })
  for (const part of ['node_modules', 'recordings', 'seed', '.cache'])
    symlinkSync(path.join(ROOT, part), path.join(copy, part))
  return copy
}

const files = (copy: string): string[] => [
  ...new Bun.Glob('{src,scripts,docs,scenarios}/**/*').scanSync({ cwd: copy, onlyFiles: true }),
]

/** Changed files of a copy. */
const changedIn = (copy: string): string[] =>
  files(copy)
    .filter((file) => textOf(copy, file) !== textOf(ROOT, file))
    .sort()

function textOf(copy: string, file: string): string | null {
  try {
    return readFileSync(path.join(copy, file), 'utf8')
  } catch {
    return null
  }
}

function run(copy: string, ...words: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...words], { cwd: copy })
  expect([exitCode, exitCode === 0 ? '' : `${stdout}${stderr}`]).toEqual([0, ''])
  return `${stdout}`
}

/** CONTRIBUTING's list of changed files. */
const documented = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  .match(/<!-- changed -->\n```text\n([^`]*)```/)?.[1]
  ?.replaceAll('<group>', 'perpdex')
  .replaceAll('<operation>', 'mid-prices')
  .trim()
  .split('\n')
  .map((line) => line.split(/\s{2,}/)[0])
  .sort()

const temporary = temporaryFolder()

test('an operation is one file; the lists and the documents are generated', async () => {
  const copy = copyOfProject(temporary('project'))
  await Bun.write(path.join(copy, FILE), DECLARATION)
  await Bun.write(path.join(copy, 'probe.ts'), PROBE)
  await Bun.write(path.join(copy, 'typed.ts'), TYPED)
  await Bun.write(
    path.join(copy, 'tsconfig.probe.json'),
    JSON.stringify({
      extends: './tsconfig.json',
      include: ['typed.ts', FILE, 'src/contract/operations.ts'],
    }),
  )
  run(copy, '-e', "await (await import('./scripts/generated-files.ts')).writeGenerated()")

  expect(changedIn(copy)).toEqual(documented as string[])
  expect(JSON.parse(run(copy, 'probe.ts'))).toEqual({
    paths: ['/api/upgrade/v2/hl/mid-prices'],
    cases: expect.arrayContaining([
      'answer.perpdex.midPrices.1',
      'access.perpdex.midPrices.without-a-signature',
    ]),
    requirements: ['action.HL_MID_PRICES', 'operation.perpdex.midPrices'],
    action: true,
  })
  const answers = JSON.parse(textOf(copy, 'src/contract/documents/example-answers.json') ?? '')
  expect(answers['perpdex.midPrices'][0].answer).toMatchObject({
    code: '0',
    data: { BTC: expect.stringMatching(/^\d/) },
  })
  expect(textOf(copy, 'docs/reference.md')).toContain('`GET /hl/mid-prices`, `perpdex.midPrices`')
  expect(textOf(copy, 'docs/requirements.md')).toContain('`operation.perpdex.midPrices`')
  run(copy, path.join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.probe.json')
})

test('a new folder is a new group', () => {
  const copy = temporary('groups')
  cpSync(path.join(ROOT, 'src'), path.join(copy, 'src'), { recursive: true })
  mkdirSync(path.join(copy, 'src/contract/operations/macro'))
  cpSync(
    path.join(copy, 'src/contract/operations/coin/list.ts'),
    path.join(copy, 'src/contract/operations/macro/rates-of-banks.ts'),
  )
  const changed = [...declarationLists(copy)].filter(([name, text]) => textOf(ROOT, name) !== text)
  expect(changed.map(([name]) => name).sort()).toEqual([
    'src/contract/operations.ts',
    'src/contract/operations/macro.ts',
  ])
  const [[, all = ''] = [], [, group = ''] = []] = changed.sort()
  expect(all).toContain("import { MACRO } from './operations/macro.ts'")
  expect(group).toContain('  ratesOfBanks: coinList,')
})

test('a file in the folder that declares nothing is reported by name', async () => {
  const copy = copyOfProject(temporary('other'))
  await Bun.write(path.join(copy, FILE), 'export const midPrices = 1\n')
  const { exitCode, stderr } = Bun.spawnSync(
    [
      process.execPath,
      '-e',
      "(await import('./scripts/declaration-lists.ts')).declarationLists('.')",
    ],
    { cwd: copy },
  )
  expect(exitCode).not.toBe(0)
  expect(`${stderr}`).toContain(`${FILE} exports no operation`)
})
