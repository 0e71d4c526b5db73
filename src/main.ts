#!/usr/bin/env bun
/**
 * The program: `tapewright <command> …`.
 *
 * Codes: 0 done, 1 a `UserError` (one line on standard error) or something found wrong, 2 no such
 * command (of `conform`: it could not run), 70 a fault of ours.
 */
import { COMMANDS } from './commands/index.ts'
import { overview } from './commands/overview.ts'
import { UserError } from './user-error.ts'
import { VERSION } from './version.ts'

/** Runs the command that the arguments name and answers with the exit code; nothing is thrown. */
export async function main(args: string[]): Promise<number> {
  try {
    return await dispatch(args)
  } catch (error) {
    if (error instanceof UserError) {
      console.error(`tapewright: ${error.message}`)
      return 1
    }
    return reportFault(error)
  }
}

/** Runs `main` as the whole program: ends the process once everything written has been read. */
export async function launch(args: string[]): Promise<never> {
  // What a timer or a promise that nobody awaits throws is a fault as well.
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => process.exit(isReaderGone(error) ? 0 : reportFault(error)))
  const code = await main(args)
  await new Promise<void>((resume) => process.stdout.end(() => resume()))
  process.exit(code)
}

async function dispatch([name = '--help', ...rest]: string[]): Promise<number> {
  if (name === '--version' || name === '-V') return print(VERSION)
  const wantsHelp = name === '--help' || name === '-h' || name === 'help'
  if (wantsHelp && rest[0] === undefined) return print(overview(COMMANDS))
  const wanted = wantsHelp ? rest[0] : name
  const entry = COMMANDS.find((command) => command.name === wanted)
  if (entry === undefined) {
    const names = COMMANDS.map((command) => command.name).join(', ')
    console.error(`tapewright: there is no command "${wanted}", there are: ${names}`)
    return 2
  }
  const command = await entry.load()
  const asksHelp = wantsHelp || rest.includes('--help') || rest.includes('-h')
  return asksHelp ? print(command.usage) : command.run(rest)
}

function print(text: string): number {
  process.stdout.write(`${text.trimEnd()}\n`)
  return 0
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
