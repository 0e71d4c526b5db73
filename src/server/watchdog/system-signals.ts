/**
 * Signals as the system has them, beside the runtime, which takes a signal at once and hands it on
 * in the next round of the event loop. While that is blocked none begins.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The signals that end a server. */
export const SIGNAL_NUMBERS = { SIGTERM: 15, SIGINT: 2 } as const

/** Restores the default of a signal, which ends the process. Whether it could. */
export function restoreDefault(signal: keyof typeof SIGNAL_NUMBERS): boolean {
  const library = systemLibrary()
  library?.symbols.signal(SIGNAL_NUMBERS[signal], null)
  return library !== null
}

/** Ends the process from any thread; returns where it cannot. */
export function exitAtOnce(code: number): void {
  systemLibrary()?.symbols._exit(code)
}

type SystemLibrary = ReturnType<typeof openLibrary>
let library: SystemLibrary | null | undefined

function systemLibrary(): SystemLibrary | null {
  if (library !== undefined) return library
  library = null
  for (const name of ['libc.so.6', 'libc.so', 'libSystem.dylib'])
    try {
      library = openLibrary(name)
      break
    } catch {
      // A system without it.
    }
  return library
}

function openLibrary(name: string) {
  const { dlopen } = require('bun:ffi') as typeof import('bun:ffi')
  return dlopen(name, {
    signal: { args: ['i32', 'ptr'], returns: 'ptr' },
    _exit: { args: ['i32'], returns: 'void' },
  })
}

/** A record of the signals that arrived, which outlives a blocked event loop. */
export interface SignalRecord {
  /** Goes before the runtime's present handler of a signal, and keeps calling it. */
  record(signal: number): void
  /** How many arrived since the start. */
  count(): number
  /** The number of the last one; 0 for none. */
  last(): number
}

/** Null where the system cannot record signals: Windows, or without a writable temporary folder. */
export function signalRecord(): SignalRecord | null {
  try {
    const { record, count, last } = compiled()
    return { record: (signal) => void record(signal), count, last }
  } catch {
    return null
  }
}

/**
 * In C, as a handler may run at any instruction of any thread. `struct sigaction` begins with the
 * handler on Linux and macOS; its other fields are kept as they are.
 */
const SOURCE = `
typedef void (*handler)(int, void *, void *);
extern int sigaction(int, const void *, void *);
static handler passed_to[32];
static volatile int arrived, last_one;

static void on_signal(int signal, void *info, void *context) {
  last_one = signal;
  arrived += 1;
  passed_to[signal](signal, info, context);
}

int record(int signal) {
  handler action[64];
  if (sigaction(signal, 0, action)) return -1;
  if ((unsigned long)action[0] <= 1 || action[0] == on_signal) return 0;
  passed_to[signal] = action[0];
  action[0] = on_signal;
  return sigaction(signal, action, 0);
}

int count(void) { return arrived; }
int last(void) { return last_one; }
`

function compiled() {
  const { cc } = require('bun:ffi') as typeof import('bun:ffi')
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-signals-'))
  try {
    const source = path.join(folder, 'signals.c')
    writeFileSync(source, SOURCE)
    const symbols = {
      record: { args: ['i32'], returns: 'i32' },
      count: { args: [], returns: 'i32' },
      last: { args: [], returns: 'i32' },
    } as const
    return cc({ source, symbols }).symbols
  } finally {
    rmSync(folder, { recursive: true })
  }
}
