#!/usr/bin/env bun
/**
 * The program: `tapewright <command> …`.
 *
 * Codes: 0 done, 1 a `UserError` (one line on standard error) or something found wrong, 2 no such
 * command or action (of `conform`: it could not run), 70 a fault of ours.
 */
import { UserError } from './platform/user-error.ts'

/** Runs the command that the arguments name and answers with the exit code; nothing is thrown. */
export async function main(args: string[]): Promise<number> {
  try {
    // A server in somebody else's process needs nothing of it.
    const { dispatch } = await import('./server/commands/dispatch.ts')
    return await dispatch(args)
  } catch (error) {
    if (error instanceof UserError) {
      const { writeError } = await import('./server/commands/terminal.ts')
      writeError(error.message)
      return error.name === 'UnknownCommand' ? 2 : 1
    }
    return reportFault(error)
  }
}

/** Starts a server in the process that has loaded the program, which is how a library has it. */
export const startInProcess = async () =>
  (await import('./server/embedding/in-process-server.ts')).startInProcess()

/** Runs `main` as the whole program: ends the process once everything written has been read. */
export async function launch(args: string[]): Promise<never> {
  // What a timer or a promise that nobody awaits throws is a fault as well.
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => process.exit(isReaderGone(error) ? 0 : reportFault(error)))
  const code = await main(args)
  await new Promise<void>((resume) => process.stdout.end(() => resume()))
  process.exit(code)
}

/** Reports a fault of ours; answers with its exit code. */
function reportFault(error: unknown): number {
  console.error(`tapewright: a fault of ours, please report it\n${trace(error)}`)
  return 70
}

function trace(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/**
 * Whoever read our output has gone (`tapewright … | head`): that is no error. Output that nobody
 * listens to for errors throws them, and to listen would be to load it, which a server never needs.
 */
function isReaderGone(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  return code === 'EPIPE' && syscall === 'write'
}

// Not awaited: what is compiled ahead of time cannot wait at its top.
if (import.meta.main) void launch(process.argv.slice(2))
