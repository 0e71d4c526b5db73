/** `serve --workers`: several processes on one port of a machine, each a replica of one service. */
import { UserError } from '../../../platform/user-error.ts'
import { isRedisUrl } from '../../../sandbox/shared-state/redis-url.ts'
import { IS_BINARY } from '../../../sandbox/worlds/casting-process.ts'
import { endSignal } from './ending.ts'

/** The flags that matter to the process above. */
export interface WorkerOptions {
  workers: number
  port: number
  host: string
  state: string | undefined
  healthPort: number | null
  open: boolean
  untilStdinEnds: boolean
}

type Worker = Bun.Subprocess<'inherit' | 'ignore', 'pipe', 'inherit'>

/** Runs the workers until a signal ends them; returns the exit code. */
export async function runWorkers(
  options: WorkerOptions,
  log: (line: string) => void,
): Promise<number> {
  checkOptions(options)
  const port = options.port === 0 ? freePort(options.host) : options.port
  const workers = new Set<Worker>()
  let isEnding = false
  const start = () => {
    const worker = startWorker(port, options.untilStdinEnds)
    workers.add(worker)
    return { worker, ready: firstOutput(worker) }
  }
  /** Replaces a worker that ended by itself. */
  const watch = async (worker: Worker): Promise<void> => {
    const code = await worker.exited
    workers.delete(worker)
    if (isEnding) return
    log(`a worker ended with ${code}, another one is started`)
    const next = start()
    if ((await next.ready) !== null) return watch(next.worker)
  }
  const started = Array.from({ length: options.workers }, start)
  const signalled = endSignal(options.untilStdinEnds)
  const texts = await Promise.all(started.map(({ ready }) => ready))
  const failed = texts.includes(null)
  if (!failed) {
    process.stdout.write(texts[0] ?? '')
    for (const { worker } of started) void watch(worker)
  }
  const reason = failed ? 'SIGTERM' : await signalled
  isEnding = true
  const codes = [...started.map(({ worker }) => worker), ...workers].map(({ exited }) => exited)
  for (const worker of workers) if (reason === 'SIGINT' || reason === 'SIGTERM') worker.kill(reason)
  const ended = await Promise.all(codes)
  return Math.max(0, ...(failed ? ended.filter((code) => code < 128) : ended))
}

function checkOptions({ workers, state, healthPort, open }: WorkerOptions): void {
  if (state === undefined || !isRedisUrl(state))
    throw new UserError(
      `${workers} workers need a common store: give --state redis://HOST:PORT/DATABASE`,
    )
  if (healthPort !== null)
    throw new UserError('--health-port is of one process: leave it out, or --workers')
  if (open) throw new UserError('--open is of one process: leave it out, or --workers')
}

/** The same command once more: of a flag that is given twice the last counts. */
function startWorker(port: number, readsInput: boolean): Worker {
  const [program = '', script = '', ...words] = process.argv
  const own = ['--workers', '1', '--share-port', '--port', String(port)]
  return Bun.spawn([...(IS_BINARY ? [program] : [process.execPath, script]), ...words, ...own], {
    stdin: readsInput ? 'inherit' : 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
}

/** What it prints first, when it is ready; null when it ends before. The rest is left. */
async function firstOutput(worker: Worker): Promise<string | null> {
  const reader = worker.stdout.getReader()
  const { value } = await reader.read()
  void drain(reader)
  return value === undefined ? null : new TextDecoder().decode(value)
}

async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  for (let read = await reader.read(); !read.done; ) read = await reader.read()
}

function freePort(hostname: string): number {
  const server = Bun.listen({ hostname, port: 0, socket: { data() {} } })
  const { port } = server
  server.stop(true)
  return port
}
