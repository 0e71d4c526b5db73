/** The running server and the sandbox to which a command applies. */
import { ControlError, control, type SandboxControl } from '../../clients/control/control.ts'
import { controlToken, environmentVariable } from '../../platform/environment.ts'
import { UserError } from '../../platform/user-error.ts'
import type { FlagValues } from './command.ts'
import { text, wholeNumber } from './flag.ts'

/** The flags of commands that use a running server. */
export const SERVER_FLAGS = {
  url: text('URL', { about: 'address of the server', absent: 'TAPEWRIGHT_URL' }),
  port: wholeNumber(
    { min: 1, max: 65_535 },
    { about: 'port of the server on this machine, if no URL is given', absent: '4010' },
  ),
  sandbox: text('ID', { about: 'the sandbox', default: 'default' }),
} as const

/** The named sandbox; an address that is none is a UserError. */
export function sandboxOf(flags: FlagValues<typeof SERVER_FLAGS>): SandboxControl {
  return control(serverAddress(flags), { token: controlToken() ?? undefined }).sandbox(
    flags.sandbox,
  )
}

/**
 * The address without a slash at its end: the given one, else that of `TAPEWRIGHT_URL`. A UserError
 * shows the right form.
 */
export function serverAddress({
  url,
  port,
}: Pick<FlagValues<typeof SERVER_FLAGS>, 'url' | 'port'>): string {
  if (url !== undefined) return addressOf(url, '')
  const named = environmentVariable('TAPEWRIGHT_URL')
  if (port === undefined && named !== null) return addressOf(named, 'TAPEWRIGHT_URL ')
  return `http://127.0.0.1:${port ?? DEFAULT_PORT}`
}

const DEFAULT_PORT = 4010

function addressOf(url: string, source: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '')
  throw new UserError(`${source}${url} is not an address: write it as http://127.0.0.1:4010`)
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
