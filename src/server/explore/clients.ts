/** The two sorts of explored clients: a program, and a function of a test. */

import { type ChildProcess, spawn } from 'node:child_process'
import type { ClaimFields, JudgedClaim } from '../../clients/control/records.ts'
import { deferred } from '../../platform/deferred.ts'
import type { SandboxHandle } from '../embedding/create-sandbox.ts'
import { environmentWith } from '../embedding/environment.ts'
import type { Ending, ExploredClient, RunningClient } from './run.ts'

/** The address of a sandbox, as environment variables for programs. */
export function sandboxVariables({ id, baseUrl, wsBaseUrl, keys }: SandboxHandle) {
  return {
    TAPEWRIGHT_BASE_URL: baseUrl,
    TAPEWRIGHT_WS_BASE_URL: wsBaseUrl,
    TAPEWRIGHT_ACCESS_KEY: keys.full.accessKey,
    TAPEWRIGHT_SECRET_KEY: keys.full.secretKey,
    TAPEWRIGHT_CONTROL_URL: `${new URL(baseUrl).origin}/_control`,
    TAPEWRIGHT_SANDBOX: id,
  }
}

/** A claim as a line on standard output begins. */
const CLAIM_LINE = '{"claim":'

/** Maximum length of kept output, and of a line with a claim. */
const OUTPUT_LENGTH = 4_000
const LINE_LENGTH = 200_000

/** A program: its exit code counts, and lines `{"claim": {…}}` of its output are claims. */
export function programClient(words: readonly string[]): ExploredClient {
  const [program = '', ...rest] = words
  return {
    name: words.join(' '),
    start(sandbox) {
      // A group of its own: a shell's children end with it.
      const child = spawn(program, rest, {
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        env: environmentWith(sandboxVariables(sandbox)),
      })
      const output = new LastOutput()
      const claims = new ClaimLines(sandbox)
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output.add(text)
        claims.read(text)
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => output.add(text))
      return runningProgram(child, output, claims)
    },
  }
}

function runningProgram(
  child: ChildProcess,
  output: LastOutput,
  claims: ClaimLines,
): RunningClient {
  let stopped = false
  let isOver = false
  const ended = new Promise<Ending>((resolve) => {
    const end = (failed: string | null) => {
      isOver = true
      void claims.settled().then((flaw) => resolve({ failed: failed ?? flaw, output: output.text }))
    }
    child.once('error', (error) => end(`it cannot be run: ${error.message}`))
    child.once('close', (code, signal) => {
      // A program that was stopped ends by the signal, or says so by its code.
      const isWanted = stopped && (signal !== null || code === 0 || (code ?? 0) > 128)
      const how = signal === null ? `with code ${code}` : `by ${signal}`
      end(code === 0 || isWanted ? null : `it ended ${how}${output.shown}`)
    })
  })
  const signal = (name: NodeJS.Signals) => {
    if (isOver || child.pid === undefined) return
    try {
      if (process.platform === 'win32') child.kill(name)
      else process.kill(-child.pid, name)
    } catch {
      // It has ended meanwhile.
    }
  }
  return {
    ended,
    stop() {
      stopped = true
      signal('SIGTERM')
    },
    kill: () => signal('SIGKILL'),
  }
}

/** The last part of what a program prints. */
class LastOutput {
  text = ''

  add(more: string): void {
    this.text = (this.text + more).slice(-OUTPUT_LENGTH)
  }

  /** As the continuation of a sentence. */
  get shown(): string {
    const lines = this.text.trim().split('\n').slice(-5).join('\n')
    return lines === '' ? '' : `, and printed: ${lines.slice(-1_000)}`
  }
}

/** Claims in lines of standard output, judged in their order. */
class ClaimLines {
  private line = ''
  private judged: Promise<unknown> = Promise.resolve()
  private flaw: string | null = null

  constructor(private readonly sandbox: SandboxHandle) {}

  read(text: string): void {
    const lines = (this.line + text).split('\n')
    this.line = (lines.pop() ?? '').slice(0, LINE_LENGTH)
    for (const line of lines) if (line.startsWith(CLAIM_LINE)) this.make(line)
  }

  /** Resolves when all are judged, with what is wrong about the form of one; null for nothing. */
  async settled(): Promise<string | null> {
    await this.judged
    return this.flaw
  }

  private make(line: string): void {
    const { claims } = this.sandbox.control
    this.judged = this.judged
      .then(() => claims.make((JSON.parse(line) as { claim: ClaimFields }).claim))
      .catch((error: Error) => {
        this.flaw ??= `it printed a claim that cannot be judged: ${error.message}`
      })
  }
}

/** What a function gets that is explored. */
export interface ExploreContext {
  sandbox: SandboxHandle
  /** Says what the client believes; the verdict is part of the run. */
  claim(fields: ClaimFields): Promise<JudgedClaim>
  /** Aborted when the plan is over: end then. */
  signal: AbortSignal
}

/** A function: it has failed where it throws. */
export function functionClient(body: (context: ExploreContext) => unknown): ExploredClient {
  return {
    name: body.name || 'the function',
    start(sandbox) {
      const stopping = new AbortController()
      const claim = (fields: ClaimFields) => sandbox.control.claims.make(fields)
      const run = async () => body({ sandbox, claim, signal: stopping.signal })
      const killed = deferred<Ending>()
      const ending = run().then(
        () => ({ failed: null, output: '' }),
        (error: unknown) => ({ failed: errorText(error), output: stackOf(error) }),
      )
      return {
        ended: Promise.race([ending, killed.promise]),
        stop: () => stopping.abort(),
        kill() {
          stopping.abort()
          killed.resolve({ failed: 'it did not end', output: '' })
        },
      }
    },
  }
}

const errorText = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 2_000)

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? '').slice(0, OUTPUT_LENGTH) : ''
