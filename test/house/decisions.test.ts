/** Decisions are whole, listed, and cited by their own numbers. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const FOLDER = path.join(PROJECT_FOLDER, 'docs/decisions')
const SECTIONS = ['Context', 'Decision', 'Costs', 'Not chosen']
const files = [...new Bun.Glob('[0-9]*.md').scanSync(FOLDER)].sort()
const texts = await Promise.all(files.map((file) => Bun.file(path.join(FOLDER, file)).text()))

test('decisions are numbered without gaps, and a title has its subject first', () => {
  const numbers = files.map((file) => Number(file.slice(0, 4)))
  expect(numbers).toEqual(files.map((_, index) => index + 1))
  const wrong = files.filter((file, index) => {
    const title = (texts[index] ?? '').split('\n')[0] ?? ''
    return !title.startsWith(`# ${Number(file.slice(0, 4))}. `) || !title.includes(': ')
  })
  expect(wrong).toEqual([])
})

test('each decision has its context, its costs and what was not chosen', () => {
  const missing = files.flatMap((file, index) =>
    SECTIONS.filter((section) => !(texts[index] ?? '').includes(`\n## ${section}\n`)).map(
      (section) => `${file} has no section ${section}`,
    ),
  )
  expect(missing).toEqual([])
})

test('the list names every decision by its title', async () => {
  const list = await Bun.file(path.join(FOLDER, 'README.md')).text()
  const named = [...list.matchAll(/^(\d+)\. \[([^\]]+)\]\(([^)]+)\)$/gm)]
  expect(named.map(([, number, title, file]) => `${file} # ${number}. ${title}`)).toEqual(
    files.map((file, index) => `${file} ${(texts[index] ?? '').split('\n')[0]}`),
  )
})

test('a decision is cited by its own number', async () => {
  const pages = ['*.md', 'docs/**/*.md'].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: PROJECT_FOLDER }),
  ])
  const wrong: string[] = []
  for (const page of pages) {
    const text = await Bun.file(path.join(PROJECT_FOLDER, page)).text()
    for (const [link, cited, file] of text.matchAll(/\[(?:[Dd]ecision )?(\d+)\]\([^)]*?(\d{4})-/g))
      if (Number(cited) !== Number(file)) wrong.push(`${page}: ${link}`)
  }
  expect(wrong).toEqual([])
})
