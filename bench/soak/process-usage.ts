/** Resource use of a process, from outside: through /proc, elsewhere through `ps` and `lsof`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface ProcessUsage {
  residentMb: number
  /** Of that, the part that is no mapped file; all of it where unknown. */
  ownMb: number
  /** Open files and connections. */
  handles: number
}

export function usageOf(pid: number): ProcessUsage {
  return existsSync('/proc/self/status') ? fromProc(pid) : fromTools(pid)
}

function fromProc(pid: number): ProcessUsage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return {
    residentMb: mb('VmRSS'),
    ownMb: mb('RssAnon'),
    handles: readdirSync(`/proc/${pid}/fd`).length,
  }
}

function fromTools(pid: number): ProcessUsage {
  const outputOf = (command: string[]) => Bun.spawnSync(command).stdout.toString().trim()
  const residentMb = Number(outputOf(['ps', '-o', 'rss=', '-p', String(pid)])) / 1024
  return {
    residentMb,
    ownMb: residentMb,
    handles: outputOf(['lsof', '-p', String(pid), '-F', 'f'])
      .split('\n')
      .filter((line) => /^f\d/.test(line)).length,
  }
}
