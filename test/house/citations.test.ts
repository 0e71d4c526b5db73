/** What comments and documents refer to can be read: a file that they name is in the repository. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

/** Files that name a document which is not in the repository, each with its reason. */
const EXEMPT: Record<string, string> = {
  'test/house/citations.test.ts': 'it names what it looks for',
  'test/house/unspecified-places.test.ts': 'it compares with the contract where that lies at hand',
}

interface Line {
  at: string
  text: string
}

/** Every line of the files that some patterns name, with its place. */
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

/** Names of files in lines that are not in the repository, each with the place. */
function missingFiles(lines: Line[], name: RegExp): string[] {
  return lines.flatMap(({ at, text }) =>
    [...text.matchAll(name)]
      .filter(([file]) => !existsSync(path.join(PROJECT_FOLDER, file)))
      .map(([file]) => `${at} names ${file}`),
  )
}

test('there is something to look at', () => {
  expect(code.length).toBeGreaterThan(10_000)
  expect(documents.length).toBeGreaterThan(1000)
})

test('a page that code names is there', () => {
  const page = /(?<![\w/.-])((?:docs|recordings|seed)\/[\w/.-]+\.md|[A-Z]+\.md)/g
  expect(missingFiles(code, page)).toEqual([])
})

test('a file of ours that a document names is there', () => {
  const file = /(?<![\w/.-])(?:src|test|scripts|bench|docs)\/[\w/.-]+\.(?:tsx?|md|json)\b/g
  expect(missingFiles(documents, file)).toEqual([])
})

test('nothing is cited by the short name of a document that is elsewhere', () => {
  const cited = code.filter(({ text }) => /\(spec\b|\bshapes \d|\b(spec|shapes)\.md\b/.test(text))
  expect(cited.map(({ at, text }) => `${at} ${text.trim()}`)).toEqual([])
})
