/** Workplace of a page's blocks: a folder, a server, the documented commands. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import tsconfig from '../../tsconfig.json' with { type: 'json' }
import { PROGRAM } from '../fixtures/program.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { listeningAt, type ServeProcess } from '../fixtures/serve-process.ts'

/** Inside of the project, whose packages blocks may use. */
const ROOT = path.join(PROJECT_FOLDER, '.cache', 'docs')

/** Address in the documents; replaced by each page's own server. */
const DOCUMENTED = '127.0.0.1:4010'

/** The package's names resolve to its sources: builds are tested in test/package. */
const TSCONFIG = {
  compilerOptions: {
    ...tsconfig.compilerOptions,
    paths: {
      tapewright: [path.join(PROJECT_FOLDER, 'src', 'index.ts')],
      'tapewright/*': [path.join(PROJECT_FOLDER, 'src', 'entries', '*.ts')],
    },
  },
  include: ['*.ts'],
}

export interface Run {
  code: number
  printed: string
  complaints: string
}

export class Workplace {
  readonly folder: string
  private server: ServeProcess | null = null
  private host = ''

  constructor() {
    mkdirSync(ROOT, { recursive: true })
    this.folder = mkdtempSync(path.join(ROOT, 'page-'))
    writeFileSync(path.join(this.folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  }

  /** Writes a file, with the server's address instead of the documented one. */
  async write(name: string, text: string): Promise<string> {
    const file = path.join(this.folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, await this.here(text))
    return file
  }

  /** Runs a program in the folder; an endless one is ended after its expected output. */
  async run(command: readonly string[], until?: string): Promise<Run> {
    const child = Bun.spawn([...command], {
      cwd: this.folder,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, ...this.environment() },
    })
    const complaints = child.stderr.text()
    let printed = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      printed += chunk
      if (until !== undefined && printed.includes(until)) child.kill()
    }
    const code = await child.exited
    const isThere = until !== undefined && printed.includes(until)
    return { code: isThere ? 0 : code, printed, complaints: await complaints }
  }

  async close(): Promise<void> {
    this.server?.kill('SIGKILL')
    await this.server?.exited
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async here(text: string): Promise<string> {
    if (!text.includes(DOCUMENTED)) return text
    if (this.server === null) {
      this.server = Bun.spawn([...PROGRAM, 'serve', '--port', '0'], {
        cwd: PROJECT_FOLDER,
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      })
      this.host = new URL(await listeningAt(this.server)).host
    }
    return text.replaceAll(DOCUMENTED, this.host)
  }

  /** A `curl` that fails on refusals, and wrappers of the commands. */
  private environment() {
    const bin = path.join(this.folder, '.bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(path.join(bin, '.curlrc'), 'silent\nshow-error\nfail-with-body\n')
    for (const [name, script] of Object.entries(COMMANDS)) {
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}`)
      chmodSync(path.join(bin, name), 0o755)
    }
    return { PATH: `${bin}:${process.env.PATH}`, CURL_HOME: bin, NO_COLOR: '1' }
  }
}

const [BUN, SCRIPT] = PROGRAM

/** Commands of the documents. Servers and recorders are ended once they are ready. */
const COMMANDS: Readonly<Record<string, string>> = {
  bun: `case "$1" in
  start) shift; exec tapewright serve "$@" ;;
  run) shift; exec tapewright "$@" ;;
  *) exec "${BUN}" "$@" ;;
esac
`,
  npx: `if [ "$1" = tapewright ]; then shift; exec tapewright "$@"; fi
echo "npx $1 needs a network: say why it is not run" >&2
exit 1
`,
  tapewright: `case "$1" in serve | record) ;; *) exec "${BUN}" "${SCRIPT}" "$@" ;; esac
case "$*" in *--port*|*--help*) ;; *) set -- "$@" --port 0 ;; esac
said=serve-$$.txt
"${BUN}" "${SCRIPT}" "$@" >$said &
pid=$!
until grep -qsE 'listening|recording' $said; do
  kill -0 $pid 2>/dev/null || { wait $pid; exit $?; }
  sleep 0.1
done
kill -TERM $pid
wait $pid
`,
}
