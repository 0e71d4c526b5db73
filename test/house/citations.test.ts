/** Files named in comments and documents must be in the repository. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

/** Files that name a document outside of the repository, with reasons. */
const EXEMPT: Record<string, string> = {
  'test/house/citations.test.ts': 'it names what it looks for',
  'test/house/unspecified-places.test.ts': 'it compares with the contract where that lies at hand',
}

interface Line {
  at: string
  text: string
}

/** Every line of the files that match some patterns, with its place. */
async function linesOf(...patterns: string[]): Promise<Line[]> {
  const lines: Line[] = []
  const files = patterns.flatMap((one) => [...new Bun.Glob(one).scanSync({ cwd: PROJECT_FOLDER })])
  for (const found of files) {
    const file = found.replaceAll('\\', '/')
    if (file in EXEMPT) continue
    const text = await Bun.file(path.join(PROJECT_FOLDER, file)).text()
    for (const [index, line] of text.split('\n').entries())
      lines.push({ at: `${file}:${index + 1}`, text: line })
  }
  return lines
}

const code = await linesOf('{src,scripts,bench,test}/**/*.ts')
const documents = await linesOf('{README,CONTRIBUTING}.md', 'docs/**/*.md', 'recordings/*.md')

/** Missing files named in lines, with their places. */
function missingFiles(lines: Line[], name: RegExp): string[] {
  return lines.flatMap(({ at, text }) =>
    [...text.matchAll(name)]
      .filter(([file]) => !existsSync(path.join(PROJECT_FOLDER, file)))
      .map(([file]) => `${at} names ${file}`),
  )
}

test('there are files to check', () => {
  expect(code.length).toBeGreaterThan(10_000)
  expect(documents.length).toBeGreaterThan(1000)
})

test('files named in code exist', () => {
  const page = /(?<![\w/.-])((?:docs|recordings|seed)\/[\w/.-]+\.md|[A-Z]+\.md)/g
  expect(missingFiles(code, page)).toEqual([])
})

test('project files named in documents exist', () => {
  const file = /(?<![\w/.-])(?:src|test|scripts|bench|docs)\/[\w/.-]+\.(?:tsx?|md|json)\b/g
  expect(missingFiles(documents, file)).toEqual([])
})

test('a folder of ours that a document names is there', () => {
  const places = 'src|test|scripts|bench|docs|scenarios|recordings|seed|examples|realism'
  const folder = new RegExp(`(?<=\\x60)(?:${places})/[\\w/.-]*(?=\\x60)`, 'g')
  expect(missingFiles(documents, folder)).toEqual([])
})

test('no external document is cited by its short name', () => {
  const cited = code.filter(({ text }) => /\(spec\b|\bshapes \d|\b(spec|shapes)\.md\b/.test(text))
  expect(cited.map(({ at, text }) => `${at} ${text.trim()}`)).toEqual([])
})
