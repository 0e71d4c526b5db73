import { Database } from 'bun:sqlite'
import { stripWorld } from './pocket.ts'

/** The bytes of a world file without derivable data; the file itself is stripped too. */
export async function strippedBytes(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const db = new Database(file, { strict: true })
  stripWorld(db)
  db.close()
  return Bun.file(file).bytes()
}
