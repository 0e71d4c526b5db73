/** Files that are kept compressed, as nearly everybody takes them. */
import { existsSync } from 'node:fs'

/** Ending of the name of one that is built. */
export const PACKED = '.gz'

export type Packed = Uint8Array<ArrayBuffer>

/** The best that there is: it is done once, when the program is built. */
export const packed = (bytes: Packed): Packed => Bun.gzipSync(bytes, { level: 9 })

/** A file, compressed: as it was built, or made so now of the one that it is built of. */
export async function readPacked(built: string, source: () => string): Promise<Packed> {
  if (existsSync(built + PACKED)) return Bun.file(built + PACKED).bytes()
  return packed(await Bun.file(source()).bytes())
}

/** A file as it is sent: compressed to whoever takes that, whole to others. */
export function packedResponse(
  file: Packed,
  request: Request,
  headers: Readonly<Record<string, string>>,
): Response {
  const isTaken = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  return new Response(isTaken ? file : Bun.gunzipSync(file), {
    headers: {
      ...headers,
      vary: 'accept-encoding',
      ...(isTaken ? { 'content-encoding': 'gzip' } : {}),
    },
  })
}
