/** `tapewright serve` as a process that is watched: what it says, and whether it lives. */
import path from 'node:path'

const PROGRAM = path.join(import.meta.dir, 'watched-server.ts')

/** What a server that is well never writes. */
const FAULT = /a fault of ours|unhandled|uncaught|^\s+at .+:\d+:\d+\)?$/im

/** What the server's process knows of its own memory, after everything unused was collected. */
export interface HeapReport {
  heapBytes: number
  objects: number
}

/** How many instances of each class live, by its name. */
export interface InstanceReport {
  instances: Record<string, number>
}

export class ServerProcess {
  /** Everything that it wrote to standard error. */
  complaints = ''
  private answered: (report: HeapReport & InstanceReport) => void = () => {}

  private constructor(
    readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>,
    readonly origin: string,
  ) {
    this.listen()
  }

  /** Starts one on a free port; throws what it says when it ends instead of listening. */
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

  /** What is wrong with it; null for nothing. */
  get trouble(): string | null {
    if (this.child.exitCode !== null || this.child.signalCode !== null)
      return `the server has ended: ${this.child.exitCode ?? this.child.signalCode}`
    return FAULT.test(this.complaints) ? this.complaints : null
  }

  /** Its heap, once all that is unused was collected. */
  heap(): Promise<HeapReport> {
    return this.ask('heap')
  }

  /** What lives in its heap; takes a second for a large one. */
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
