/** Sending a call of the control plane and reading what is answered. */
import { VERSION } from '../version.ts'
import type { Call, CallOptions } from './call.ts'
import { ControlError, codeOf } from './control-error.ts'

export interface ControlSettings {
  /** The server's `TAPEWRIGHT_CONTROL_TOKEN`; on loopback there is none. */
  token?: string | undefined
  /** Sends requests; the runtime's own when left out. */
  send?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** A call with its parameters. */
export interface Sending {
  call: Call
  /** Of the path, by name. */
  names: Readonly<Record<string, string>>
  fields: Readonly<Record<string, unknown>>
  options: CallOptions
  accept?: string
}

/** Sends calls to one server; a ControlError when nobody answers there. */
export function sender(url: string, { token, send = fetch }: ControlSettings) {
  const base = url.replace(/\/+$/, '').replace(/\/_control$/, '')
  return async ({ call, names, fields, options, accept }: Sending): Promise<Response> => {
    const { signal } = options
    const path = call.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(names[name] ?? ''))
    const query = call.fields === 'query' ? queryOf(fields) : ''
    const init: RequestInit = {
      method: call.method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(call.fields === 'body' ? { 'content-type': 'application/json' } : {}),
        ...(accept === undefined ? {} : { accept }),
      },
      ...(call.fields === 'body' ? { body: JSON.stringify(fields) } : {}),
      ...(signal ? { signal } : {}),
    }
    try {
      return await send(`${base}/_control${path}${query}`, init)
    } catch (error) {
      throw signal?.aborted || error instanceof ControlError ? error : unreachable(base, error)
    }
  }
}

/** The answer of a call; a ControlError for a refusal and for what is no answer. */
export async function readAnswer({ call, options }: Sending, response: Response): Promise<unknown> {
  const text = await bodyText(response, options)
  if (call.answer === 'text' && response.ok) return text
  const data = parsed(text, response)
  const refusal = (data as { error?: unknown } | null)?.error
  if (response.status >= 400 && typeof refusal === 'string')
    throw new ControlError(
      codeOf(response.status),
      response.status,
      refusal + versionsText(response),
    )
  if (call.answer === 'page') return paged(data as object, response)
  return data
}

/** What is not understood may be of another version. */
function versionsText({ headers }: Response): string {
  const theirs = headers.get('tapewright-version') ?? VERSION
  if (theirs === VERSION) return ''
  return ` (the server is Tapewright ${theirs} and this client ${VERSION}: use one version of both)`
}

async function bodyText(response: Response, { signal }: CallOptions): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw signal?.aborted ? error : unreachable(response.url, error)
  }
}

function parsed(text: string, { status, url }: Response): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const start = JSON.stringify(text.slice(0, 80))
    throw new ControlError(
      'unknown-answer',
      status,
      `${url} is no control plane of Tapewright: it answers ${status} ${start}`,
    )
  }
}

/** A page knows where the next one begins, and looks the same as without that. */
function paged(data: object, { headers }: Response): object {
  const next = /<[^>]*[?&]cursor=(\d+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')
  return Object.defineProperty(data, 'nextCursor', { value: next?.[1] ?? null })
}

function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams()
  for (const [name, value] of given) query.set(name, String(value))
  return given.length === 0 ? '' : `?${query}`
}

function unreachable(at: string, error: unknown): ControlError {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  const why = code ?? cause?.code ?? (error as Error).message
  const message = `${at} cannot be reached (${why}): is the server running there?`
  return new ControlError('unreachable', null, message, { cause: error })
}
