import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { hostClock } from '../../clock/system-clock.ts'
import { UserError } from '../../platform/user-error.ts'
import { errorText } from '../compression.ts'

const READ_BYTES = 256 * 1024

/** A local file. */
export function localFile(path: string): ByteSource {
  const { size, mtimeMs } = statSync(path)
  const slice = async (from: number, to: number): Promise<Uint8Array> => {
    try {
      return await Bun.file(path).slice(from, to).bytes()
    } catch (error) {
      throw new UserError(`${path}: cannot be read (${errorText(error)}): make it readable`)
    }
  }
  async function* stream() {
    for (let at = 0; at < size; at += READ_BYTES)
      yield await slice(at, Math.min(size, at + READ_BYTES))
  }
  return { name: path, base: baseName(path), size, version: `${size} ${mtimeMs}`, stream, slice }
}

/** Long enough for a busy server, short enough for a waiting user. */
const IDLE_MS = 60_000

/** The result, or a `UserError` when nothing has come in `idleMs`. */
async function withinIdleTime<T>(
  name: string,
  idleMs: number | undefined,
  coming: Promise<T>,
): Promise<T> {
  const limitMs = idleMs ?? IDLE_MS
  let cancel = () => {}
  const silence = new Promise<never>((_, reject) => {
    const say = `${name}: nothing has come for ${limitMs / 1000} s: try again`
    cancel = hostClock.startTimer(limitMs, () => reject(new UserError(say)))
  })
  try {
    return await Promise.race([coming, silence])
  } finally {
    cancel()
    coming.catch(() => {})
  }
}

/** A file at an `http://` or `https://` address. */
async function httpFile(url: string, { idleMs }: SourceOptions): Promise<ByteSource> {
  const shown = withoutSecrets(url)
  const ask = (headers: Record<string, string>, method = 'GET') =>
    answerOf(shown, idleMs, (signal) =>
      // Without transfer compression: the stored bytes are needed.
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
  let received = 0
  try {
    for (;;) {
      const { done, value } = await withinIdleTime(shown, idleMs, reader.read())
      if (done) break
      received += value.length
      yield value
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(
      `${shown}: broke off after ${received} bytes (${errorText(error)}): try again`,
    )
  } finally {
    await reader.cancel().catch(() => {})
  }
  if (promised !== null && received !== promised)
    throw new UserError(`${shown}: ended after ${received} of ${promised} bytes: try again`)
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

/** Null where it is unknown, or counts bytes compressed for transfer after all. */
function lengthOf(answer: Response): number | null {
  if ((answer.headers.get('content-encoding') ?? 'identity') !== 'identity') return null
  const length = answer.headers.get('content-length')
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null
}

/** Signed addresses carry secrets in the query, others before the host. */
function withoutSecrets(url: string): string {
  return url.replace(/^(https?:\/\/)[^/@]*@/i, '$1').replace(/\?.*$/s, '?…')
}

/** Names of files in recording folders that are not recordings. */
const PASSED_OVER = /^\.|\.(?:md|txt|sha256|checksum|tmp|partial)$/i
/** A folder with kept parts of an import. */
const KEPT = /\.partial(?:[/\\]|$)/

/**
 * Resolves files, folders, `http(s)://` and `s3://` addresses, in the order given.
 *
 * A folder means all files below it in natural order, so that hour 9 comes before hour 10. A
 * missing one is a `UserError`.
 */
export async function sourcesOf(
  names: readonly string[],
  options: SourceOptions = {},
): Promise<ByteSource[]> {
  const sources: ByteSource[] = []
  for (const name of names) {
    if (/^https?:\/\//i.test(name)) sources.push(await httpFile(name, options))
    else if (isBucketName(name)) sources.push(...(await bucketObjects(name, options)))
    else sources.push(...localFiles(name))
  }
  return sources
}

function localFiles(name: string): ByteSource[] {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name))
    throw new UserError(`${name}: is no address that can be read: http://, https:// or s3://`)
  if (!existsSync(name)) throw new UserError(`${name}: there is no such file`)
  if (isFile(name)) return [localFile(name)]
  if (!statSync(name).isDirectory())
    throw new UserError(`${name}: is no file that can be read twice: write it to one first`)
  const files = readdirSync(name, { recursive: true, withFileTypes: true })
    .filter(({ name }) => !PASSED_OVER.test(name))
    .filter(({ parentPath }) => !KEPT.test(path.relative(name, parentPath)))
    .map((entry) => ({ file: path.join(entry.parentPath, entry.name), entry }))
    .filter(({ file, entry }) => entry.isFile() || (entry.isSymbolicLink() && isFile(file)))
    .map(({ file }) => file)
    .sort(BY_NAME.compare)
  if (files.length === 0) throw new UserError(`${name}: is a folder without a file`)
  return files.map(localFile)
}

/** Whether it is a file, or a link to one. */
const isFile = (name: string): boolean =>
  statSync(name, { throwIfNoEntry: false })?.isFile() ?? false

const CHUNK_BYTES = 4 * 1024 * 1024
const ADDRESS = /^s3:\/\/([^/]+)\/?(.*)$/

/** Whether a name is an object or a folder of a bucket. */
const isBucketName = (name: string): boolean => ADDRESS.test(name)

/** The object at `s3://bucket/key`; for `s3://bucket/folder/` all below, by name. */
async function bucketObjects(name: string, options: SourceOptions): Promise<ByteSource[]> {
  const [, bucket = '', key = ''] = ADDRESS.exec(name) ?? []
  const bucketOptions: Bun.S3Options = { ...options.s3, bucket }
  if (options.requesterPays) bucketOptions.requestPayer = true
  const client = new Bun.S3Client(bucketOptions)
  if (key !== '' && !key.endsWith('/'))
    return [await object(client, `s3://${bucket}/`, key, options.idleMs)]
  const keys = await keysBelow(client, name, key, options.idleMs)
  return Promise.all(keys.map((one) => object(client, `s3://${bucket}/`, one, options.idleMs)))
}

async function object(
  client: Bun.S3Client,
  bucket: string,
  key: string,
  idleMs: number | undefined,
): Promise<ByteSource> {
  const name = `${bucket}${key}`
  const { size, etag } = await answered(name, idleMs, client.stat(key))
  const slice = (from: number, to: number) =>
    answered(name, idleMs, client.file(key).slice(from, to).bytes())
  async function* stream() {
    // In chunks, so that memory holds only the present one.
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      const piece = await slice(at, Math.min(size, at + CHUNK_BYTES))
      if (piece.length !== Math.min(size - at, CHUNK_BYTES))
        throw new UserError(`${name}: ended after ${at + piece.length} of ${size} bytes: try again`)
      yield piece
    }
  }
  return { name, base: baseName(key), size, version: `${size} ${etag}`, stream, slice }
}

async function keysBelow(
  client: Bun.S3Client,
  name: string,
  prefix: string,
  idleMs: number | undefined,
): Promise<string[]> {
  const keys: string[] = []
  let from: string | undefined
  do {
    const page = await answered(
      name,
      idleMs,
      client.list(from === undefined ? { prefix } : { prefix, continuationToken: from }),
    )
    for (const { key } of page.contents ?? []) if (!key.endsWith('/')) keys.push(key)
    from = page.isTruncated ? page.nextContinuationToken : undefined
  } while (from !== undefined)
  if (keys.length === 0) throw new UserError(`${name}: there is no object below it`)
  return keys.sort(BY_NAME.compare)
}

async function answered<T>(name: string, idleMs: number | undefined, call: Promise<T>): Promise<T> {
  try {
    return await withinIdleTime(name, idleMs, call)
  } catch (error) {
    if (error instanceof UserError) throw error
    const { code, message } = error as { code?: string; message?: string }
    const why = [code, message].filter(Boolean).join(': ')
    throw new UserError(
      `${name}: cannot be read (${why}); bucket, region and keys are those of AWS_ENDPOINT, ` +
        'AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    )
  }
}

/** A readable source of bytes: a file, a server's response, an object of a bucket. */
export interface ByteSource {
  /** As named by the user; messages begin with it. */
  name: string
  /** The last part of the name. */
  base: string
  /** Number of stored bytes; null when unknown. */
  size: number | null
  /** Changes with the content. */
  version: string
  /** All bytes in order. Errors are a `UserError` that begins with the name. */
  stream(): AsyncGenerator<Uint8Array, void, undefined>
  /** The bytes from `from` up to, not including, `to`. */
  slice(from: number, to: number): Promise<Uint8Array>
}

/** Access to remote sources. */
export interface SourceOptions {
  /** Endpoint and credentials of buckets; by default from the environment, as Bun reads it. */
  s3?: Bun.S3Options
  /** Whether the requester pays for a bucket, which some archives require. */
  requesterPays?: boolean
  /** Timeout of a silent server. */
  idleMs?: number
}

/** The last part of a path or URL, without query. */
export function baseName(name: string): string {
  const path = name.split(/[?#]/, 1)[0] ?? name
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? name
}

/** Names in natural order: hour 9 comes before hour 10. */
const BY_NAME = new Intl.Collator('en', { numeric: true })
