/** The packages for other languages: the pytest plugin runs, the Testcontainers module compiles. */
import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const at = temporaryFolder()
const FOLDER = path.join(PROJECT_FOLDER, 'examples', 'clients')
const PYTHON = Bun.which('python3') ?? 'python3'
const HAS_PYTEST = Bun.spawnSync([PYTHON, '-c', 'import pytest']).exitCode === 0
const JAVAC = Bun.which('javac')

async function pytest(environment: Record<string, string>) {
  const flags = ['-q', '-p', 'tapewright_pytest', '-p', 'no:cacheprovider']
  const child = Bun.spawn([PYTHON, '-m', 'pytest', ...flags, 'test_example.py'], {
    cwd: path.join(FOLDER, 'pytest'),
    stdout: 'pipe',
    stderr: 'pipe',
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: path.join(FOLDER, 'pytest'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
      ...environment,
    },
  })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, out: out + err }
}

test.skipIf(!HAS_PYTEST)(
  'the plugin gives each test a sandbox of a server (needs pytest)',
  async () => {
    const { registry } = await recordedRegistry({}, hostClock)
    const { origin } = await serveRegistry(registry)
    const { code, out } = await pytest({ TAPEWRIGHT_URL: origin })
    expect([code, out]).toEqual([0, expect.stringMatching(/^4 passed/m)])
    expect(registry.list()).toHaveLength(1)
  },
)

test.skipIf(!HAS_PYTEST)('the plugin starts a server and ends it (needs pytest)', async () => {
  const { registry } = await recordedRegistry({}, hostClock)
  const { origin } = await serveRegistry(registry)
  // In place of the program: it says where a server is, and what becomes of itself.
  const script = [
    'trap "echo ended >> $LOG; exit 0" TERM',
    'echo "$@" > "$LOG"',
    `echo '{"baseUrl":"${origin}"}'`,
    'while :; do sleep 0.1; done',
  ]
  writeFileSync(at('program.sh'), script.join('\n'))
  const TAPEWRIGHT = `sh ${at('program.sh')}`
  const { code, out } = await pytest({ TAPEWRIGHT, LOG: at('log') })
  expect([code, out]).toEqual([0, expect.stringMatching(/^4 passed/m)])
  expect(readFileSync(at('log'), 'utf8')).toBe('serve --port 0 --json\nended\n')
  const failed = await pytest({ TAPEWRIGHT: 'false' })
  expect([failed.code, failed.out]).toEqual([1, expect.stringContaining('ended with code 1')])
})

/** As much of Testcontainers as the module names. */
const TESTCONTAINERS = {
  'org/testcontainers/containers/GenericContainer.java': `package org.testcontainers.containers;
    public class GenericContainer<S extends GenericContainer<S>> implements AutoCloseable {
      public GenericContainer(org.testcontainers.utility.DockerImageName name) {}
      public S withExposedPorts(Integer... ports) { return null; }
      public S withEnv(String name, String value) { return null; }
      public S waitingFor(
        org.testcontainers.containers.wait.strategy.WaitStrategy wait) { return null; }
      public String getHost() { return ""; }
      public Integer getMappedPort(int port) { return port; }
      public void close() {}
    }`,
  'org/testcontainers/containers/wait/strategy/WaitStrategy.java':
    'package org.testcontainers.containers.wait.strategy; public interface WaitStrategy {}',
  'org/testcontainers/containers/wait/strategy/HttpWaitStrategy.java': `package
    org.testcontainers.containers.wait.strategy;
    public class HttpWaitStrategy implements WaitStrategy {
      public HttpWaitStrategy forPort(int port) { return this; }
      public HttpWaitStrategy forStatusCode(int code) { return this; }
      public HttpWaitStrategy withStartupTimeout(java.time.Duration time) { return this; }
    }`,
  'org/testcontainers/containers/wait/strategy/Wait.java': `package
    org.testcontainers.containers.wait.strategy;
    public class Wait {
      public static HttpWaitStrategy forHttp(String path) { return new HttpWaitStrategy(); }
    }`,
  'org/testcontainers/utility/DockerImageName.java': `package org.testcontainers.utility;
    public class DockerImageName {
      public static DockerImageName parse(String name) { return null; }
    }`,
}

test.skipIf(JAVAC === null)('the Testcontainers module compiles (needs javac)', () => {
  for (const [name, text] of Object.entries(TESTCONTAINERS)) {
    mkdirSync(path.dirname(at(`stubs/${name}`)), { recursive: true })
    writeFileSync(at(`stubs/${name}`), text)
  }
  const [source = ''] = new Bun.Glob('testcontainers/**/*.java').scanSync({ cwd: FOLDER })
  const flags = [
    '-Xlint:all,-serial,-path,-try',
    '-Werror',
    '-sourcepath',
    at('stubs'),
    '-d',
    at('classes'),
  ]
  const { exitCode, stderr } = Bun.spawnSync([JAVAC ?? '', ...flags, path.join(FOLDER, source)])
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
})
