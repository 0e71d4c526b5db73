import { UserError } from '../../user-error.ts'
import { BY_NAME, type ByteSource, baseName, type SourceOptions } from './byte-source.ts'
import { withinIdleTime } from './idle-limit.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
const ADDRESS = /^s3:\/\/([^/]+)\/?(.*)$/

/** Whether a name is that of an object or of a folder of a bucket. */
export const isBucketName = (name: string): boolean => ADDRESS.test(name)

/** The object that `s3://bucket/key` names; of `s3://bucket/folder/` all below, by name. */
export async function bucketObjects(name: string, options: SourceOptions): Promise<ByteSource[]> {
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
