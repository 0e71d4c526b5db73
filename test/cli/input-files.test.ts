/** Files that flags and settings name are bounded before they are parsed. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { PROGRAM } from '../fixtures/program.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** The flaw of each, in the words of the refusal. */
const FILES: Readonly<Record<string, readonly [content: string, message: string]>> = {
  deep: [deep(200_000), 'has lists or objects inside one another, at most 64 deep'],
  inner: [`{"questions":{"over-rate":${deep(5_000)}},"results":${deep(5_000)}}`, 'at most 64 deep'],
  long: [`{"x":"${'y'.repeat(5_000_000)}"}`, 'has a text of 5000000 characters, at most 4194304'],
  list: ['[1, 2]', 'must hold a JSON object'],
  null: ['null', 'must hold a JSON object'],
  none: ['', 'is not JSON'],
}

const CONFORM = ['conform', '--target', 'http://127.0.0.1:9', '--key', 'k', '--secret', 's']

const KINDS = {
  questions: (file: string) => ['serve', '--port', '0', '--until-stdin-ends', '--questions', file],
  baseline: (file: string) => [...CONFORM, '--baseline', file],
  settings: (file: string) => ['serve', '--print-config', '--config', file],
}

function refusal(words: readonly string[]): string {
  const { exitCode, stderr } = Bun.spawnSync([...PROGRAM, ...words], {
    cwd: at('.'),
    stdin: 'ignore',
  })
  const output = stderr.toString().trim()
  expect({ words, exitCode, lines: output.split('\n') }).toMatchObject({
    exitCode: 1,
    lines: [expect.stringMatching(/^tapewright: .{1,400}$/)],
  })
  return output
}

for (const [kind, words] of Object.entries(KINDS))
  test(`a file of ${kind} is bounded and refused in one line`, () => {
    for (const [name, [content, message]] of Object.entries(FILES)) {
      writeFileSync(at(`${name}.json`), content)
      expect(refusal(words(at(`${name}.json`)))).toContain(message)
    }
    expect(refusal(words('/dev/null'))).not.toContain('fault of ours')
  })

test('invalid answers and results are refused', () => {
  for (const content of ['{"questions": 5}', '{"over-rate": 5}']) {
    writeFileSync(at('answers.json'), content)
    expect(refusal(KINDS.questions(at('answers.json')))).toContain(
      'must hold answers, such as {"over-rate": "429"}',
    )
  }
  for (const results of [
    '5',
    '[null]',
    '[{"verdict":"failed"}]',
    '[{"id":{},"verdict":"failed"}]',
  ]) {
    writeFileSync(at('report.json'), `{"results":${results}}`)
    expect(refusal(KINDS.baseline(at('report.json')))).toContain('was not written by --report')
  }
})
