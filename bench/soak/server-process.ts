/** `tapewright serve` as a monitored process: its output, and whether it runs. */
import path from 'node:path'

const PROGRAM = path.join(import.meta.dir, 'watched-server.ts')

/** Output that a healthy server never writes. */
const FAULT = /an internal error|unhandled|uncaught|^\s+at .+:\d+:\d+\)?$/im

/** Memory statistics of the server's process after garbage collection. */
export interface HeapReport {
  heapBytes: number
  objects: number
}

/** Number of live instances per class. */
export interface InstanceReport {
  instances: Record<string, number>
}

export class ServerProcess {
  /** Its standard error. */
  complaints = ''
  private answered: (report: HeapReport & InstanceReport) => void = () => {}

  private constructor(
    readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>,
    readonly origin: string,
  ) {
    this.listen()
  }

  /** Starts one on a free port; throws its output when it exits instead of listening. */
  static async start(
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ): Promise<ServerProcess> {
    let server: ServerProcess | undefined
    const child = Bun.spawn([process.execPath, PROGRAM, 'serve', '--port', '0', ...args], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, ...env },
      ipc: (report: HeapReport & InstanceReport) => server?.answered(report),
    })
    let output = ''
    const reader = child.stdout.getReader()
    while (!output.includes('\n')) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`${output}${await new Response(child.stderr).text()}`)
      output += new TextDecoder().decode(value)
    }
    reader.releaseLock()
    const origin = /^tapewright listening on (\S+)/.exec(output)?.[1]
    if (origin === undefined) throw new Error(output)
    server = new ServerProcess(child, origin)
    return server
  }

  get port(): number {
    return Number(new URL(this.origin).port)
  }

  get pid(): number {
    return this.child.pid
  }

  /** Finding about it; null for none. */
  get trouble(): string | null {
    if (this.child.exitCode !== null || this.child.signalCode !== null)
      return `the server has ended: ${this.child.exitCode ?? this.child.signalCode}`
    return FAULT.test(this.complaints) ? this.complaints : null
  }

  /** Its heap after garbage collection. */
  heap(): Promise<HeapReport> {
    return this.ask('heap')
  }

  /** Its live instances; takes a second for a large heap. */
  async instances(): Promise<Record<string, number>> {
    return (await this.ask('instances')).instances
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.child.kill(signal)
    await this.child.exited
  }

  private ask(what: 'heap' | 'instances'): Promise<HeapReport & InstanceReport> {
    const { promise, resolve } = Promise.withResolvers<HeapReport & InstanceReport>()
    this.answered = resolve
    this.child.send(what)
    return promise
  }

  private async listen(): Promise<void> {
    const decoder = new TextDecoder()
    for await (const bytes of this.child.stderr)
      this.complaints += decoder.decode(bytes, { stream: true })
  }
}
