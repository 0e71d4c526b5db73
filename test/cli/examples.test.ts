/** Every example of the help and of docs/commands.md is run as it stands, and works. */
import { beforeAll, expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { everyCommand } from '../../src/server/commands/command.ts'
import { COMMANDS } from '../../src/server/commands/index.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { writeExampleFiles } from '../fixtures/example-files.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { listeningOrigin } from '../fixtures/serve-process.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const at = temporaryFolder()

/** The server that the examples of other commands use. */
const { registry, sandbox } = await recordedRegistry({ clock: 'running' }, hostClock)
const { origin } = await serveRegistry(registry)

beforeAll(() => writeExampleFiles(at('.'), { registry, sandbox }))

/** Whether it runs until it is ended. */
const isLasting = (words: string) => /^(serve|record)\b/.test(words)

function run(words: string) {
  const typed = words.replaceAll('http://127.0.0.1:4010', origin).split(' ')
  // Two may run at once, and must not use the same port.
  const port = isLasting(words) && !typed.includes('--port') ? ['--port', '0'] : []
  return Bun.spawn([...PROGRAM, ...typed, ...port], {
    cwd: at('.'),
    env: { ...process.env, TAPEWRIGHT_URL: origin },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

// Those of `bench` are run in bench.test.ts, in one round.
const judged = everyCommand(COMMANDS).filter(({ name }) => name !== 'bench')

for (const { name, declaration } of judged)
  for (const { words } of declaration.examples)
    test(`tapewright ${words}`, async () => {
      expect(words).toStartWith(name)
      const child = run(words)
      if (isLasting(words)) {
        const answer = await fetch(`${await listeningOrigin(child)}/_control/health`)
        expect(answer.status).toBe(200)
        child.kill()
      }
      const [out, err, code] = await Promise.all([
        isLasting(words) ? '-' : child.stdout.text(),
        child.stderr.text(),
        child.exited,
      ])
      expect([code, code === 0 ? '' : err]).toEqual([0, ''])
      expect(out).not.toBe('')
      if (words.includes('--json') && !isLasting(words))
        for (const line of out.trim().split('\n')) JSON.parse(line)
    })
