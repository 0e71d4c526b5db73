import { UserError } from '../../platform/user-error.ts'
import { errorText } from '../compression.ts'
import { type ByteSource, baseName, type SourceOptions } from './byte-source.ts'
import { withinIdleTime } from './idle-limit.ts'

/** What a server serves at an `http://` or `https://` address. */
export async function httpFile(url: string, { idleMs }: SourceOptions): Promise<ByteSource> {
  const shown = withoutSecrets(url)
  const ask = (headers: Record<string, string>, method = 'GET') =>
    answerOf(shown, idleMs, (signal) =>
      // Not compressed on the way: what arrives must be what lies there.
      fetch(url, { method, signal, headers: { ...headers, 'accept-encoding': 'identity' } }),
    )
  const head = await ask({}, 'HEAD').catch(() => null)
  const size = head?.ok ? lengthOf(head) : null
  const version = `${size} ${head?.headers.get('etag') ?? head?.headers.get('last-modified')}`
  return {
    name: shown,
    base: baseName(shown),
    size,
    version,
    stream: () => wholeAnswer(shown, idleMs, () => ask({})),
    async slice(from, to) {
      const answer = await ask({ range: `bytes=${from}-${to - 1}` })
      if (answer.status === 206) return answer.bytes()
      await answer.body?.cancel()
      throw new UserError(
        `${shown}: its server does not serve parts of it (status ${answer.status}), which a ` +
          'Parquet file needs: download it first',
      )
    },
  }
}

async function* wholeAnswer(
  shown: string,
  idleMs: number | undefined,
  ask: () => Promise<Response>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const answer = await ask()
  if (answer.status !== 200 || answer.body === null) {
    await answer.body?.cancel()
    throw new UserError(`${shown}: the server answers ${answer.status}, 200 is needed`)
  }
  const [promised, reader] = [lengthOf(answer), answer.body.getReader()]
  let came = 0
  try {
    for (;;) {
      const { done, value } = await withinIdleTime(shown, idleMs, reader.read())
      if (done) break
      came += value.length
      yield value
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${shown}: broke off after ${came} bytes (${errorText(error)}): try again`)
  } finally {
    await reader.cancel().catch(() => {})
  }
  if (promised !== null && came !== promised)
    throw new UserError(`${shown}: ended after ${came} of ${promised} bytes: try again`)
}

async function answerOf(
  shown: string,
  idleMs: number | undefined,
  ask: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const abort = new AbortController()
  try {
    return await withinIdleTime(shown, idleMs, ask(abort.signal))
  } catch (error) {
    abort.abort()
    if (error instanceof UserError) throw error
    throw new UserError(`${shown}: cannot be reached (${errorText(error)})`)
  }
}

/** Null where it is not told, or is that of bytes which were compressed for the way after all. */
function lengthOf(answer: Response): number | null {
  if ((answer.headers.get('content-encoding') ?? 'identity') !== 'identity') return null
  const length = answer.headers.get('content-length')
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null
}

/** Signed addresses carry their secrets in the query, others before the host. */
function withoutSecrets(url: string): string {
  return url.replace(/^(https?:\/\/)[^/@]*@/i, '$1').replace(/\?.*$/s, '?…')
}
