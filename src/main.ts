#!/usr/bin/env bun
/**
 * The program: `tapewright <command> …`.
 *
 * Codes: 0 done, 1 a `UserError` (one line on standard error) or something found wrong, 2 no such
 * command or action, or a store that cannot be used (of `conform`: it could not run), 70 an
 * internal error.
 */
import { UserError } from './platform/user-error.ts'

/** Runs the command of the arguments and returns the exit code; it never throws. */
export async function main(args: string[]): Promise<number> {
  try {
    // A server embedded in another process does not need it.
    const { dispatch } = await import('./server/commands/dispatch.ts')
    return await dispatch(args)
  } catch (error) {
    if (error instanceof UserError) {
      const { writeError } = await import('./server/commands/terminal.ts')
      writeError(error.message)
      return error.exitCode
    }
    return reportFault(error)
  }
}

/** Starts a server in the process that has loaded the program, for the library. */
export const startInProcess = async () =>
  (await import('./server/embedding/in-process-server.ts')).startInProcess()

/** Runs `main` as the whole program: ends the process once its output has been read. */
export async function launch(args: string[]): Promise<never> {
  // An error of a timer or an unawaited promise is an internal error as well.
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => process.exit(isReaderGone(error) ? 0 : reportFault(error)))
  const code = await main(args)
  await new Promise<void>((resume) => process.stdout.end(() => resume()))
  process.exit(code)
}

/** Reports an internal error; returns its exit code. */
function reportFault(error: unknown): number {
  console.error(`tapewright: an internal error, please report it\n${trace(error)}`)
  return 70
}

function trace(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/**
 * Whether the reader of our output has gone (`tapewright … | head`), which is no error. It is
 * thrown from output without a listener; a listener would load code that a server never needs.
 */
function isReaderGone(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  return code === 'EPIPE' && syscall === 'write'
}

// Not awaited: a program compiled ahead of time cannot await at its top.
if (import.meta.main) void launch(process.argv.slice(2))
