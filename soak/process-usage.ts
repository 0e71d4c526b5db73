/** What a process uses, seen from outside: through /proc, elsewhere through `ps` and `lsof`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface ProcessUsage {
  residentMb: number
  /** Open files and connections. */
  handles: number
}

export function usageOf(pid: number): ProcessUsage {
  return existsSync('/proc/self/status') ? fromProc(pid) : fromTools(pid)
}

function fromProc(pid: number): ProcessUsage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return {
    residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
  }
}

function fromTools(pid: number): ProcessUsage {
  const told = (command: string[]) => Bun.spawnSync(command).stdout.toString().trim()
  return {
    residentMb: Number(told(['ps', '-o', 'rss=', '-p', String(pid)])) / 1024,
    handles: told(['lsof', '-p', String(pid), '-F', 'f'])
      .split('\n')
      .filter((line) => /^f\d/.test(line)).length,
  }
}
