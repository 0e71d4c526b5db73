/** `tapewright serve --state` as a killable process, and its output. */
import { PROGRAM } from '../../test/fixtures/program.ts'
import { PROJECT_FOLDER } from '../../test/fixtures/project-folder.ts'

/** Lines of standard error that a healthy server never writes. */
const FAULT = /an internal error|cannot rollback|unhandled|uncaught|^\s+at .+:\d+:\d+\)?$/im

export interface ServerFiles {
  tape: string
  state: string
  cache: string
}

export class StoringServer {
  /** Standard error so far. */
  complaints = ''

  private constructor(
    readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>,
    readonly origin: string,
  ) {
    void this.listen()
  }

  /** Starts one; throws its output when it exits instead of listening. */
  static async start({ tape, state, cache }: ServerFiles): Promise<StoringServer> {
    const words = ['serve', '--port', '0', '--tape', tape, '--state', state]
    const child = Bun.spawn([...PROGRAM, ...words], {
      cwd: PROJECT_FOLDER,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, TAPEWRIGHT_CACHE: cache },
    })
    let output = ''
    const reader = child.stdout.getReader()
    while (!output.includes('\n')) {
      const { done, value } = await reader.read()
      if (done) throw new Error(output + (await new Response(child.stderr).text()))
      output += new TextDecoder().decode(value)
    }
    reader.releaseLock()
    const origin = /^tapewright listening on (\S+)\n/.exec(output)?.[1]
    if (origin === undefined) throw new Error(output)
    return new StoringServer(child, origin)
  }

  /** Kills it at once. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.child.exited
  }

  /** Forbidden output; null for none. */
  get fault(): string | null {
    return FAULT.test(this.complaints) ? this.complaints : null
  }

  private async listen(): Promise<void> {
    for await (const chunk of this.child.stderr) this.complaints += new TextDecoder().decode(chunk)
  }
}
