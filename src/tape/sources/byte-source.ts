/** Something that bytes can be read from: a file, an answer of a server, an object of a bucket. */
export interface ByteSource {
  /** As it was named; messages begin with it. */
  name: string
  /** The last part of the name. */
  base: string
  /** Bytes as they lie there; null where nobody says. */
  size: number | null
  /** Another text when the content is another. */
  version: string
  /** All bytes in order. What goes wrong is a `UserError` that begins with the name. */
  stream(): AsyncGenerator<Uint8Array, void, undefined>
  /** The bytes from `from` up to, not including, `to`. */
  slice(from: number, to: number): Promise<Uint8Array>
}

/** How sources beyond this machine are reached. */
export interface SourceOptions {
  /** Where buckets are and who asks; by default what the environment says, as Bun reads it. */
  s3?: Bun.S3Options
  /** Whether the one who reads a bucket pays for it, which some archives ask for. */
  requesterPays?: boolean
  /** A server that sends nothing for so long is given up. */
  idleMs?: number
}

/** The last part of a path or URL, without query. */
export function baseName(name: string): string {
  const path = name.split(/[?#]/, 1)[0] ?? name
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? name
}

/** Names in order; a number in a name counts as a number: hour 9 comes before hour 10. */
export const BY_NAME = new Intl.Collator('en', { numeric: true })
