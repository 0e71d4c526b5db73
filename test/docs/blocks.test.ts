/** Blocks of the documents that are no programs, and the search for blocks. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { parse as parseYaml } from 'yaml'
import { parseScenario } from '../../src/sandbox/scenario/scenario-parser.ts'
import { parsePlan } from '../../src/server/explore/plan.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { blocksOf, codeBlocks, isShown, pagePaths } from './code-blocks.ts'

const all = (await Promise.all(pagePaths().map(codeBlocks))).flat()
const ofLanguage = (name: string) => all.filter(({ language }) => language === name)

/** Languages of blocks, whether run, parsed or only listed. */
const LANGUAGES = ['sh', 'ts', 'js', 'json', 'yaml', 'ndjson', 'http', 'promql', 'text']

test('every block has a language', () => {
  const others = all.filter(({ language }) => !LANGUAGES.includes(language))
  expect(others.map(({ at, language }) => `${at} ${language}`)).toEqual([])
})

test.each([...ofLanguage('json'), ...ofLanguage('ndjson')])(
  'the JSON at $at is JSON',
  ({ language, text }) => {
    if (language === 'json' && !text.includes('\n{')) JSON.parse(text)
    else for (const line of text.trim().split('\n')) JSON.parse(line)
  },
)

test.each(ofLanguage('yaml'))('the YAML at $at is what it shows', ({ text }) => {
  const value = parseYaml(text) as object
  expect(value).toBeObject()
  if ('actions' in value) expect(parsePlan('shown', text).actions).not.toBeEmpty()
  if ('rules' in value) expect(parseScenario(value, 'shown').rules).not.toBeEmpty()
})

test('blocks that are not run have a reason', () => {
  for (const { at, notRun, once } of all)
    for (const reason of [notRun, once])
      if (reason !== undefined) expect([at, reason.split(' ').length > 2]).toEqual([at, true])
})

test('a test that runs a page instead exists and reads it', async () => {
  for (const { at, runBy } of all) {
    if (runBy === undefined) continue
    const source = await Bun.file(path.join(PROJECT_FOLDER, runBy)).text()
    expect([at, source.includes(path.basename(at.split(':')[0] ?? ''))]).toEqual([at, true])
  }
})

test('blocks are found with their directives, and output belongs to the block before it', () => {
  const page = [
    'Text',
    '<!-- until: ready -->',
    '```sh',
    'tapewright serve',
    '```',
    '- a list',
    '',
    '  ```ts',
    '  if (true)',
    '    work()',
    '  ```',
    '',
    '```output',
    'a … z',
    '```',
  ].join('\n')
  expect(blocksOf('a.md', page)).toEqual([
    { at: 'a.md:3', language: 'sh', text: 'tapewright serve\n', until: 'ready' },
    { at: 'a.md:8', language: 'ts', text: 'if (true)\n  work()\n', output: 'a … z\n' },
  ])
  const given = '<!-- run by test/a.test.ts -->\n```js\nwork()\n```'
  expect(blocksOf('a.md', given)).toMatchObject([{ runBy: 'test/a.test.ts' }])
  const block = '```sh\nls\n```'
  const calls = blocksOf('a.md', `<!-- calls -->\n${block}\n<!-- /calls -->\n${block}`)
  expect(calls.map(({ isCall }) => isCall)).toEqual([true, undefined])
  expect(() => blocksOf('a.md', '<!-- skipped: why not -->\n```sh\nls\n```')).toThrow('a.md:2')
  expect(() => blocksOf('a.md', '```output\nx\n```')).toThrow('a.md:1: output of what?')
})

test('output is compared exactly except for omissions', () => {
  expect(isShown('a … z\n', 'a b\nc z\n')).toBe(true)
  expect(isShown('a z', 'a b z')).toBe(false)
  expect(isShown('a.z', 'abz')).toBe(false)
  expect(isShown('a', 'a b')).toBe(false)
})
