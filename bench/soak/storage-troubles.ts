/** Ways to make a state file temporarily unwritable, as far as this machine allows. */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { RandomSource } from '../../src/random/random-source.ts'
import type { StoringServer } from './storing-server.ts'

export interface StorageTrouble {
  name: string
  begin(server: StoringServer, random: RandomSource): void
  end(server: StoringServer): void
}

/** Possible troubles for a file in a folder, which may become a disk of its own. */
export function storageTroubles(folder: string): {
  /** Place of the state file. */
  state: string
  troubles: StorageTrouble[]
  cleanUp: () => void
} {
  const ran = (...words: string[]) => {
    try {
      return Bun.spawnSync(words, { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0
    } catch {
      return false
    }
  }
  mkdirSync(folder, { recursive: true })
  const isDisk = ran('mount', '-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tapewright', folder)
  const canLimit = ran('prlimit', '--pid', String(process.pid), '--fsize')
  const troubles = [
    ...(isDisk ? [fullDisk(folder)] : []),
    ...(canLimit ? [limitedFiles(folder, ran)] : []),
    movedFolder(folder),
  ]
  mkdirSync(path.join(folder, KEPT))
  const cleanUp = () => {
    if (isDisk) ran('umount', '-l', folder)
  }
  return { state: path.join(folder, KEPT, 'state'), troubles, cleanUp }
}

const DISK_BYTES = 24 << 20

/** Folder of the state file, within the other one. */
const KEPT = 'kept'

/** A disk of some megabytes is filled up to a few kilobytes. */
function fullDisk(folder: string): StorageTrouble {
  const filling = path.join(folder, 'filling')
  return {
    name: 'a full disk',
    begin(_, random) {
      const handle = openSync(filling, 'w')
      fill(handle, 1 << 20)
      fill(handle, 4 << 10)
      closeSync(handle)
      // Leaves space for some more transactions, or for a part of one.
      Bun.spawnSync(['truncate', '-s', `-${random.between(0, 24) << 12}`, filling])
    },
    end: () => rmSync(filling, { force: true }),
  }
}

function fill(handle: number, bytes: number): void {
  const block = Buffer.alloc(bytes)
  try {
    for (;;) writeSync(handle, block)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error
  }
}

/** The process may not write beyond a file size limit. */
function limitedFiles(folder: string, ran: (...words: string[]) => boolean): StorageTrouble {
  const limit = ({ child }: StoringServer, bytes: number | 'unlimited') =>
    ran('prlimit', '--pid', String(child.pid), `--fsize=${bytes}:unlimited`)
  return {
    name: 'a limit on the size of files',
    begin(server, random) {
      const { size } = statSync(path.join(folder, KEPT, 'state-wal'))
      limit(server, size + random.between(0, 24) * 4096)
    },
    end: (server) => limit(server, 'unlimited'),
  }
}

/** The folder of the file is moved away and back. */
function movedFolder(folder: string): StorageTrouble {
  const [there, elsewhere] = [path.join(folder, KEPT), path.join(folder, 'elsewhere')]
  return {
    name: 'a folder that was moved away',
    begin: () => renameSync(there, elsewhere),
    end: () => renameSync(elsewhere, there),
  }
}
