/** What the README shows is run, and the facts that stand in several files are compared. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import path from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { COMMANDS } from '../../src/commands/index.ts'
import { sign } from '../../src/contract/signature.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const readme = await Bun.file(path.join(PROJECT_FOLDER, 'README.md')).text()

const given = { AccessKeyId: 'demo', SignatureNonce: '7', Timestamp: '1612149637' }
const right = sign(given, 'demo-secret')

/** The code block of the README that contains `mark`. */
function block(mark: string): string {
  const blocks = [...readme.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  const found = blocks.find((code) => code.includes(mark))
  if (found === undefined) throw new Error(`the README has no code block with "${mark}"`)
  return found
}

test('the TypeScript of the README signs as the contract says', () => {
  const [code = ''] = block('function sign').split('const nonce')
  const run = Bun.spawnSync([
    process.execPath,
    '-e',
    `${code}\nconsole.log(sign('demo', 'demo-secret', '7', '1612149637'))`,
  ])
  expect(run.stdout.toString().trim()).toBe(right)
})

test.skipIf(Bun.which('openssl') === null)(
  'the shell lines of the README sign as the contract says (needs openssl)',
  () => {
    const [code = ''] = block('openssl').split('curl')
    const fixed = code
      .replace(/^nonce=.*$/m, 'nonce=7')
      .replace(/^timestamp=.*$/m, 'timestamp=1612149637')
    const run = Bun.spawnSync(['bash', '-c', `${fixed}\nprintf %s "$signature"`])
    expect(run.stdout.toString()).toBe(right)
  },
)

test('the table of commands in the README is the one that the program knows', () => {
  const [, table = ''] = readme.split(/<!-- \/?commands -->\n/)
  const rows = COMMANDS.map(({ name, summary }) => `| \`${name}\` | ${summary} |`)
  expect(table.trim()).toBe(['| command | |', '|---|---|', ...rows].join('\n'))
})

test('every command is a script of the package', () => {
  for (const { name } of COMMANDS)
    expect(Object.entries(packageJson.scripts)).toContainEqual([
      name,
      `bun scripts/tapewright.ts ${name}`,
    ])
})

test('one version of Bun is named everywhere', async () => {
  const [, pinned] = packageJson.packageManager.split('@')
  expect(packageJson.dependencies.bun).toBe(pinned ?? '')
  for (const file of [
    'README.md',
    'CONTRIBUTING.md',
    '.ci/run',
    'docs/decisions/0003-bun-is-pinned.md',
  ]) {
    const text = await Bun.file(path.join(PROJECT_FOLDER, file)).text()
    const named = [...text.matchAll(/bun@(\d+\.\d+\.\d+)/g)].map(([, version]) => version)
    expect([file, ...new Set(named)]).toEqual([file, pinned])
  }
})

test('links between the documents lead somewhere', async () => {
  const pages = ['*.md', 'docs/**/*.md', 'recordings/*.md', 'scenarios/*.md'].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: PROJECT_FOLDER }),
  ])
  expect(pages).toContain('docs/world.md')
  const broken: string[] = []
  for (const page of pages) {
    const text = await Bun.file(path.join(PROJECT_FOLDER, page)).text()
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g))
      if (!existsSync(path.join(PROJECT_FOLDER, path.dirname(page), target)))
        broken.push(`${page}: ${target}`)
  }
  expect(broken).toEqual([])
})
