/** Files that are kept compressed, as nearly all clients accept that. */
import { existsSync } from 'node:fs'

/** Extension of a built, compressed file. */
export const PACKED = '.gz'

export type Packed = Uint8Array<ArrayBuffer>

/** Best compression: it is done once, when the program is built. */
export const packed = (bytes: Packed): Packed => Bun.gzipSync(bytes, { level: 9 })

/** A compressed file: as built, or compressed now. */
export const readPacked = async (built: string, made: () => Packed): Promise<Packed> =>
  existsSync(built + PACKED) ? Bun.file(built + PACKED).bytes() : packed(made())

/** The response of a file: compressed for clients that accept it, plain for others. */
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
