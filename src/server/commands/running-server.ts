/** The running server and the sandbox to which a command applies. */
import { ControlError, control, type SandboxControl } from '../../clients/control/control.ts'
import { controlToken } from '../../platform/environment.ts'
import { UserError } from '../../platform/user-error.ts'
import type { FlagValues } from './command.ts'
import { text } from './flag.ts'
import { SERVE } from './serve/declaration.ts'

/** The flags of commands that use a running server. */
export const SERVER_FLAGS = {
  url: text('URL', { about: 'address of the server; without it, a port of this machine' }),
  port: { ...SERVE.flags.port, about: 'port of the server, if no URL is given' },
  sandbox: text('ID', { about: 'the sandbox', default: 'default' }),
} as const

/** The named sandbox; an address that is none is a UserError. */
export function sandboxOf(flags: FlagValues<typeof SERVER_FLAGS>): SandboxControl {
  return control(serverAddress(flags), { token: controlToken() ?? undefined }).sandbox(
    flags.sandbox,
  )
}

/** The address without a slash at its end; a UserError shows the right form. */
export function serverAddress({
  url,
  port,
}: Pick<FlagValues<typeof SERVER_FLAGS>, 'url' | 'port'>): string {
  if (url === undefined) return `http://127.0.0.1:${port}`
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
  unreachable: ' Start one with tapewright serve, or name another one with --url or --port',
  unauthorized: ': set TAPEWRIGHT_CONTROL_TOKEN to the token of the server',
}
