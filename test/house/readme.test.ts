/** Facts repeated in several files are equal. Documents' code is run in test/docs. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import path from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { COMMANDS } from '../../src/server/commands/index.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const readme = await Bun.file(path.join(PROJECT_FOLDER, 'README.md')).text()

test('the table of commands in the README matches the program', () => {
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
    'docs/decisions/0004-runtime-and-builds.md',
  ]) {
    const text = await Bun.file(path.join(PROJECT_FOLDER, file)).text()
    const named = [...text.matchAll(/bun@(\d+\.\d+\.\d+)/g)].map(([, version]) => version)
    expect([file, ...new Set(named)]).toEqual([file, pinned])
  }
})

test('links between the documents resolve', async () => {
  const pages = ['*.md', 'docs/**/*.md', 'recordings/*.md', 'scenarios/*.md'].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: PROJECT_FOLDER }),
  ])
  expect(pages).toContain('docs/world.md')
  const texts = new Map<string, string>()
  for (const page of pages) texts.set(page, await Bun.file(path.join(PROJECT_FOLDER, page)).text())
  const broken: string[] = []
  for (const [page, text] of texts)
    for (const [, target = '', anchor] of text.matchAll(LINK)) {
      const file = target === '' ? page : path.join(path.dirname(page), target)
      const headings = anchor === undefined ? null : anchorsOf(texts.get(file) ?? '')
      if (!existsSync(path.join(PROJECT_FOLDER, file)) || headings?.has(anchor ?? '') === false)
        broken.push(`${page}: ${target}${anchor === undefined ? '' : `#${anchor}`}`)
    }
  expect(broken).toEqual([])
})

/** A link to a file of the project, to one of its headings, or to a heading of the page. */
const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/g

/** Anchors of a page's headings, as forges build them. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  )
