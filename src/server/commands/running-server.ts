/** The running server and the sandbox to which a command applies. */
import { ControlError, control, type SandboxControl } from '../../clients/control/control.ts'
import { controlToken } from '../../platform/environment.ts'
import { UserError } from '../../platform/user-error.ts'
import type { FlagValues } from './command.ts'
import { text } from './flag.ts'

/** The flags of commands that use a running server. */
export const SERVER_FLAGS = {
  url: text('URL', { about: 'address of the server', default: 'http://127.0.0.1:4010' }),
  sandbox: text('ID', { about: 'the sandbox', default: 'default' }),
} as const

/** The named sandbox; an address that is none is a UserError. */
export function sandboxOf({ url, sandbox }: FlagValues<typeof SERVER_FLAGS>): SandboxControl {
  return control(checkedAddress(url), { token: controlToken() ?? undefined }).sandbox(sandbox)
}

/** The address without a slash at its end; a UserError shows the right form. */
export function checkedAddress(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '')
  throw new UserError(`${url} is not an address: write it as http://127.0.0.1:4010`)
}

/** The answer of a call; a refused or unanswered one is a UserError with the remedy. */
export async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    throw new UserError(error.message + (HINTS[error.code] ?? ''))
  }
}

const HINTS: Partial<Record<ControlError['code'], string>> = {
  unreachable: ' Start one with tapewright serve, or name another one with --url',
  unauthorized: ': set TAPEWRIGHT_CONTROL_TOKEN to the token of the server',
}
