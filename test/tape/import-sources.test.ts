/** Recordings are read from folders, servers and buckets, and refused on failures. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { ImportRequest } from '../../src/tape/tape-import.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { L2_BOOKS } from '../fixtures/archive-lines.ts'
import { archiveSamples, lz4 } from '../fixtures/archive-samples.ts'
import { userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const OUT = at('out/of.tape.ndjson')
const samples = archiveSamples()
mkdirSync(at('out'))
mkdirSync(at('buckets/archive/9'), { recursive: true })

/** Used part: the package has no types of its own. */
interface BucketServer {
  run(): Promise<{ port: number }>
  close(): Promise<void>
}
const { default: S3rver }: { default: new (options: object) => BucketServer } = await import(
  `${'@20minutes/s3rver'}`
)

const bucketServer = (allowMismatchedSignatures: boolean) =>
  new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    allowMismatchedSignatures,
    directory: at('s3'),
    configureBuckets: [{ name: 'archive', configs: [] }],
  })
const bucket = bucketServer(false)
// The same objects: it computes the signature of a list differently from Bun's client and S3.
const listing = bucketServer(true)
const s3: Bun.S3Options = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const listed: Bun.S3Options = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** Serves samples, and misbehaves at some addresses. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const body = samples[pathname.slice(1)]
    if (pathname === '/hangs') return new Promise(() => {})
    if (pathname === '/short') return new Response(gzipSync(L2_BOOKS).subarray(0, -20))
    if (pathname === '/encoded')
      return new Response(gzipSync(L2_BOOKS), { headers: { 'content-encoding': 'gzip' } })
    if (body === undefined) return new Response('no', { status: 404 })
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '')
    if (!range) return new Response(body)
    return new Response(body.subarray(Number(range[1]), Number(range[2]) + 1), { status: 206 })
  },
})

beforeAll(async () => {
  for (const [one, options] of [[bucket, s3] as const, [listing, listed] as const])
    options.endpoint = `http://127.0.0.1:${(await one.run()).port}`
  const client = new Bun.S3Client({ ...s3, bucket: 'archive' })
  for (const hour of [9, 10]) await client.write(`${hour}/BTC.lz4`, lz4(L2_BOOKS))
  await client.write('trades.parquet', samples['trades.parquet'] ?? '')
})
afterAll(async () => {
  await bucket.close()
  await listing.close()
  await server.stop(true)
})

const importFrom = (names: string[], request: ImportRequest = {}) =>
  importTape(names, OUT, { s3, ...request })
const refusalOf = (name: string, request: ImportRequest = {}) =>
  userErrorOf(() => importFrom([name], request))

test('a folder means all files below it, hour 9 before hour 10', async () => {
  mkdirSync(at('folder/10'), { recursive: true })
  mkdirSync(at('folder/9'))
  writeFileSync(at('folder/10/a.log'), '{"channel":"webData2"}\n')
  writeFileSync(at('folder/9/z.log'), samples['collected.ndjson'] ?? '')
  writeFileSync(at('folder/README.md'), 'no recording')
  const report = await importFrom([at('folder')])
  expect([report.files, report.header.counts, [...report.leftOut]]).toEqual([
    2,
    { bbo: 1, book: 1, gap: 1 },
    [['frame of channel webData2', 1]],
  ])
})

test('links in a folder are followed, and kept parts of an import are skipped', async () => {
  mkdirSync(at('linked/of.tape.ndjson.partial'), { recursive: true })
  writeFileSync(at('linked/of.tape.ndjson.partial/part-000000'), '{"no":"recording"}\n')
  symlinkSync(at('folder/9/z.log'), at('linked/a.log'))
  symlinkSync(at('nowhere'), at('linked/b.log'))
  const { files, header } = await importFrom([at('linked')])
  expect([files, header.counts]).toEqual([1, { bbo: 1, book: 1, gap: 1 }])
})

test('a device or a pipe is neither read nor replaced', async () => {
  const device = '/dev/null'
  expect(await refusalOf(device)).toBe(
    `${device}: is no file that can be read twice: write it to one first`,
  )
  symlinkSync(device, at('linked/out'))
  expect(await userErrorOf(() => importTape([at('folder/9/z.log')], at('linked/out')))).toBe(
    `${at('linked/out')}: is a device or a pipe, give the name of a file`,
  )
  expect(readlinkSync(at('linked/out'))).toBe(device)
})

test('a server is read as a stream, Parquet in parts', async () => {
  const { header } = await importFrom([`${server.url}spot.log?token=hidden`])
  expect([header.counts.trade, header.source]).toEqual([1, 'spot spot.log'])
  expect((await importFrom([`${server.url}trades.parquet`])).header.counts).toEqual({ trade: 2 })
})

test("a server's response with transfer compression, real or claimed, is read whole", async () => {
  expect((await importFrom([`${server.url}encoded`])).header.counts).toEqual({ book: 2 })
})

test('objects of a bucket are read by name, signed, or all below a prefix', async () => {
  const one = await importFrom(['s3://archive/9/BTC.lz4', 's3://archive/trades.parquet'])
  expect(one.header.counts).toEqual({ book: 2, trade: 2 })
  const wrong = { s3: { ...s3, secretAccessKey: 'another' } }
  expect(await refusalOf('s3://archive/9/BTC.lz4', wrong)).toMatch(
    /^s3:\/\/archive\/9\/BTC.lz4: cannot be read \(.*\); bucket, region and keys are those of /,
  )
  const all = await importFrom(['s3://archive/9/BTC.lz4', 's3://archive/'], { s3: listed })
  expect([all.forms, all.files, all.header.counts]).toEqual([
    ['venue-archive', 'tardis'],
    4,
    { book: 6, trade: 2 },
  ])
})

test('a failing source is refused by its name, and nothing is left of the tape', async () => {
  const { origin } = new URL(server.url)
  const before = readdirSync(at('out'))
  expect(await refusalOf(`${origin}/none?key=secret`)).toBe(
    `${origin}/none?…: the server answers 404, 200 is needed`,
  )
  expect(await refusalOf(`${origin}/hangs`, { idleMs: 50 })).toBe(
    `${origin}/hangs: nothing has come for 0.05 s: try again`,
  )
  expect(await refusalOf(`${origin}/short`)).toStartWith(`${origin}/short: is damaged: `)
  expect(await refusalOf('s3://archive/none.lz4')).toStartWith('s3://archive/none.lz4: ')
  expect(await refusalOf('s3://archive/empty/', { s3: listed })).toBe(
    's3://archive/empty/: there is no object below it',
  )
  expect(await refusalOf('ftp://somewhere/file')).toContain('http://, https:// or s3://')
  expect(readdirSync(at('out'))).toEqual(before)
})
