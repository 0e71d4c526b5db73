/**
 * The seal of a file: its length, its checksum and when it was last written, in a small file
 * beside it that is written last.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

export type SealState = 'whole' | 'broken' | 'absent'

/**
 * Whether a file is what its seal says. Its bytes are read only when it was written or copied since
 * it was sealed, in pieces, between which others have the thread.
 */
export async function sealState(file: string): Promise<SealState> {
  if (!existsSync(file)) return 'absent'
  const found = statSync(file, { bigint: true })
  const seal = readSeal(file)
  if (seal?.size !== String(found.size)) return 'broken'
  if (seal.writtenNs === String(found.mtimeNs)) return 'whole'
  const now = await sealOf(file)
  if (now.sum !== seal.sum) return 'broken'
  try {
    writeSeal(file, now)
  } catch {
    // In a folder that only can be read, the file is read at each start.
  }
  return 'whole'
}

/**
 * Moves a finished file to where it is looked for, and seals it. Until its bytes are on the disk,
 * for which nobody waits, the seal says no time of it: who finds it then reads them. A large file,
 * which takes seconds to read, is waited for.
 */
export async function moveSealed(draft: string, file: string): Promise<void> {
  const seal = draftOf(file)
  const found = await sealOf(draft)
  try {
    writeFileSync(seal, textOf({ ...found, writtenNs: UNKNOWN }))
    rmSync(sealFileOf(file), { force: true })
    renameSync(draft, file)
    renameSync(seal, sealFileOf(file))
  } finally {
    rmSync(seal, { force: true })
  }
  const synced = sealSynced(file, found)
  if (Number(found.size) > WAITED_FOR_BYTES) await synced
}

const WAITED_FOR_BYTES = 256 << 20

const UNKNOWN = 'unknown'

/** A length and a time may outlive the bytes of a file, so they count when these are safe. */
async function sealSynced(file: string, seal: Seal): Promise<void> {
  try {
    const handle = await open(file, 'r')
    await handle.sync().finally(() => handle.close())
    if (readSeal(file)?.sum === seal.sum) writeSeal(file, seal)
  } catch {
    // Where it has been removed there is nothing to seal; else it is read at each start.
  }
}

/** A name beside a file for what is being written; no other process or call has the same. */
export function draftOf(file: string): string {
  return `${file}.${process.pid}.${drafts++}.tmp`
}

let drafts = 0

interface Seal {
  size: string
  sum: string
  writtenNs: string
}

const sealFileOf = (file: string) => `${file}.seal`

const textOf = ({ size, sum, writtenNs }: Seal) => `${size} ${sum} ${writtenNs}\n`

function writeSeal(file: string, seal: Seal): void {
  const draft = draftOf(file)
  writeFileSync(draft, textOf(seal))
  renameSync(draft, sealFileOf(file))
}

function readSeal(file: string): Seal | null {
  try {
    const [size = '', sum = '', writtenNs = ''] = readFileSync(sealFileOf(file), 'utf8').split(/\s/)
    return { size, sum, writtenNs }
  } catch {
    return null
  }
}

const PIECE_BYTES = 1 << 22

async function sealOf(file: string): Promise<Seal> {
  const { size, mtimeNs } = statSync(file, { bigint: true })
  const content = Bun.file(file)
  let sum = 0n
  for (let at = 0; at < Number(size); at += PIECE_BYTES)
    sum = Bun.hash.wyhash(await content.slice(at, at + PIECE_BYTES).bytes(), sum)
  return { size: String(size), sum: sum.toString(16), writtenNs: String(mtimeNs) }
}
