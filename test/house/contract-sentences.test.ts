/** Each sentence of the contract is quoted in docs/distinctions.md with what shows it. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { QUESTIONS } from '../../src/contract/questions.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { DISTINCTIONS } from '../http/distinctions/distinctions.ts'

const COPY = path.join('test', 'fixtures', 'contract', 'contract.md')
const read = (...parts: string[]) => readFileSync(path.join(PROJECT_FOLDER, ...parts), 'utf8')

/** A row of the page: words of the contract, and what shows the sentence that they are of. */
interface Quoted {
  quote: string
  shownBy: string[]
}

const NO_VALUES = 'tells no values apart'
const LEFT_OPEN = 'left open'
/** Words of a sentence that tells values apart. */
const APART = new RegExp(
  `\\b(${[
    ...['or', 'null', 'nullable', 'default', 'max', 'optional', 'only', 'not', 'negative'],
    ...['differ', 'may', 'without', 'absent', 'unless', 'empty'],
  ].join('|')})\\b`,
)

/** The text below each heading, by heading, in order. */
function sections(markdown: string): [heading: string, text: string][] {
  return markdown
    .split(/^#+ /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n')
      return [heading, lines.join('\n')]
    })
}

/** The sentences of a text: a row of a table is one, unless it holds several. */
function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line, at, lines) => line !== '' && !isHead(line, lines[at + 1]))
    .flatMap((line) => line.split(/(?<=\.)\s+(?=[A-Z`(])/))
    .filter((sentence) => !/^\d+\.$/.test(sentence))
}

/** The head of a table, or the line under it. */
const isHead = (line: string, next = '') => /^\|[-|\s]+$/.test(line) || /^\|[-|\s]+$/.test(next)

function quotedIn(text: string): Quoted[] {
  return [...text.matchAll(/^\| "(.*)" \| (.*) \|$/gm)].map(([, quote = '', shownBy = '']) => ({
    quote: quote.replaceAll('\\|', '|'),
    shownBy: shownBy.split('<br>'),
  }))
}

const CONTRACT = sections(read(COPY))
const [LISTED = ''] = read('docs', 'distinctions.md').split('\n## Sentences about behaviour')
const PAGE = sections(LISTED)
  .slice(1)
  .map(([heading, text]) => [heading, quotedIn(text)] as const)

test('the page has the parts of the contract, and quotes each in order', () => {
  expect(PAGE.map(([heading]) => heading)).toEqual(
    CONTRACT.filter(([, text]) => sentencesOf(text).length > 0).map(([heading]) => heading),
  )
  const texts = new Map(CONTRACT)
  for (const [heading, rows] of PAGE) {
    let from = 0
    for (const { quote } of rows) {
      from = texts.get(heading)?.indexOf(quote, from) ?? -1
      expect([heading, quote, from >= 0]).toEqual([heading, quote, true])
    }
  }
})

test('each sentence is quoted, and one that tells values apart with what shows it', () => {
  const rows = new Map(PAGE)
  for (const [heading, text] of CONTRACT)
    for (const sentence of sentencesOf(text)) {
      const own = (rows.get(heading) ?? []).filter(({ quote }) => sentence.includes(quote))
      const shownBy = own.flatMap((one) => one.shownBy)
      expect([heading, sentence, own.length > 0]).toEqual([heading, sentence, true])
      const isShown = shownBy.some((one) => one !== NO_VALUES && one !== LEFT_OPEN)
      const needsNone =
        !APART.test(sentence) || (shownBy.includes(LEFT_OPEN) && sentence.includes('not shown'))
      expect([sentence, isShown || needsNone]).toEqual([sentence, true])
    }
})

test('what shows a sentence exists, and each probe and each reason is used', () => {
  const probes = Object.entries(DISTINCTIONS).flatMap(([place, own]) =>
    Object.keys(own).map((distinction) => `${place}: ${distinction}`),
  )
  const [, absent = ''] = read('docs', 'world.md').split('## What it does not show\n')
  const reasons = [...absent.matchAll(/^- (.*?): because /gm)].map(([, one]) => `not shown: ${one}`)
  const requirements = [...read('docs', 'requirements.md').matchAll(/^\| `([^`]+)` \|/gm)]
  const known = new Set([
    ...probes,
    ...reasons,
    ...requirements.map(([, id]) => `requirement \`${id}\``),
    ...Object.keys(QUESTIONS).map((id) => `question \`${id}\``),
    NO_VALUES,
    LEFT_OPEN,
  ])
  const used = new Set(PAGE.flatMap(([, rows]) => rows.flatMap(({ shownBy }) => shownBy)))
  expect([...used].filter((one) => !known.has(one))).toEqual([])
  expect([...probes, ...reasons].filter((one) => !used.has(one))).toEqual([])
  expect(probes.length).toBeGreaterThan(180)
  expect(reasons.length).toBeGreaterThan(0)
})
