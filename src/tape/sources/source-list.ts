import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../../platform/user-error.ts'
import { BY_NAME, type ByteSource, baseName, type SourceOptions } from './byte-source.ts'
import { httpFile } from './http-file.ts'
import { withinIdleTime } from './idle-limit.ts'
import { localFile } from './local-file.ts'

/** Names of files that lie in folders beside what is recorded. */
const PASSED_OVER = /^\.|\.(?:md|txt|sha256|checksum|tmp|partial)$/i
/** A folder in which an import keeps what is done. */
const KEPT = /\.partial(?:[/\\]|$)/

/**
 * What files, folders, `http(s)://` and `s3://` addresses name, in the order given.
 *
 * A folder stands for all files below it, by name; a number in a name counts as a number, so that
 * hour 9 comes before hour 10. What does not exist is a `UserError`.
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

/** Whether it is one, or a link to one. */
const isFile = (name: string): boolean =>
  statSync(name, { throwIfNoEntry: false })?.isFile() ?? false

const CHUNK_BYTES = 4 * 1024 * 1024
const ADDRESS = /^s3:\/\/([^/]+)\/?(.*)$/

/** Whether a name is that of an object or of a folder of a bucket. */
const isBucketName = (name: string): boolean => ADDRESS.test(name)

/** The object that `s3://bucket/key` names; of `s3://bucket/folder/` all below, by name. */
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
    // Piece by piece, so that no more is in memory than is being read.
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
