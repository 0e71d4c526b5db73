/**
 * Everything that a run has received, in order: each answer and each frame, with its request. It is
 * judged at the end of the run, where later answers contradict earlier ones.
 */

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SocketLog } from '../conversation.ts'
import type { ProbeRequest } from '../probe-request.ts'
import type { Target } from '../target.ts'
import type { TargetTransport, TransportResponse } from '../target-transport.ts'

/** A request as it was meant, without credentials. */
export interface HeardRequest extends Pick<ProbeRequest, 'prefix' | 'query' | 'body'> {
  method: string
  /** Below the prefix. */
  path: string
  /** Role of the signing key; `other` for any further key. */
  by: string
  /** Whether its signature is the right one, in the query or the body. */
  isSigned: boolean
}

export type Heard = {
  /** Number of its event, in a recording. */
  event?: number
} & HeardKind

type HeardKind =
  | {
      kind: 'answer'
      place: number
      /** Number of times that the clock of the target had been moved. */
      instant: number
      request: HeardRequest
      status: number
      contentType: string
      text: string
    }
  | { kind: 'opened'; place: number; instant: number; socket: number; request: HeardRequest }
  | {
      kind: 'frame'
      place: number
      instant: number
      socket: number
      from: 'suite' | 'target'
      text: string
    }
  | { kind: 'closed'; place: number; instant: number; socket: number; code: number | null }
  /** The clock of the target was moved; from the first of them on it is held. */
  | { kind: 'moved'; place: number; instant: number; ms: number }

/** Maximum size of what is kept in memory, then on disk, characters and bytes. */
const BOUNDS = { memory: 48 * 1024 * 1024, disk: 1024 * 1024 * 1024 }

/** Place of an entry in the file. */
interface Spilled {
  at: number
  length: number
}

const isSpilled = (entry: Heard | Spilled): entry is Spilled => 'at' in entry

/** Keeps what a run hears, up to a limit; `close` removes its file. */
export class Ledger {
  private readonly entries: (Heard | Spilled)[] = []
  private readonly places: { transport: TargetTransport; instant: number }[] = []
  private sockets = 0
  /** Characters so far, until there is no more room in memory. */
  private inMemory = 0
  private file: { folder: string; descriptor: number; size: number } | null = null
  /** Number of entries that were not kept, as there was no room. */
  omitted = 0

  constructor(private readonly bounds: Partial<typeof BOUNDS> = {}) {}

  /** Number of kept entries. */
  get size(): number {
    return this.entries.length
  }

  /** Kept bytes on disk; 0 while everything is in memory. */
  get diskBytes(): number {
    return this.file?.size ?? 0
  }

  /** The entry of a rank, from 0. */
  at(seq: number): Heard {
    const entry = this.entries[seq]
    if (entry === undefined) throw new RangeError(`the ledger has no entry ${seq}`)
    if (!isSpilled(entry)) return entry
    const bytes = Buffer.alloc(entry.length)
    readSync(this.file?.descriptor as number, bytes, 0, entry.length, entry.at)
    return JSON.parse(bytes.toString('utf8'))
  }

  /** The target with a clock whose moves are entries. */
  follow(target: Target, transport: TargetTransport): Target {
    const { control } = target
    if (control === undefined) return target
    const place = this.placeOf(transport)
    let isHeld = false
    const moved = (ms: number) => {
      if (ms === 0 && isHeld) return
      isHeld = true
      const known = this.places[place] as { instant: number }
      known.instant++
      this.hear({ kind: 'moved', place, instant: known.instant, ms }, 0)
    }
    if (control.isHeld) moved(0)
    const advance = async (ms: number) => {
      await control.advance(ms)
      moved(ms)
    }
    return { ...target, control: { ...control, advance } }
  }

  /** Keeps an answer. */
  answered(
    transport: TargetTransport,
    request: ProbeRequest,
    { status, contentType, text }: TransportResponse,
  ): void {
    const place = this.placeOf(transport)
    const { instant } = this.places[place] as { instant: number }
    const heard = { place, instant, request: withoutKey(request), status, contentType, text }
    this.hear({ kind: 'answer', ...heard }, text.length)
  }

  /** Keeps a connection, and from then on its frames. */
  opened(transport: TargetTransport, request: ProbeRequest): SocketLog {
    const place = this.placeOf(transport)
    const [socket, known] = [this.sockets++, this.places[place] as { instant: number }]
    const now = () => ({ place, instant: known.instant, socket })
    this.hear({ kind: 'opened', ...now(), request: withoutKey(request) }, 0)
    return {
      frame: (from, data) => {
        const text = typeof data === 'string' ? data : ''
        this.hear({ kind: 'frame', ...now(), from, text }, text.length)
      },
      ended: (code) => this.hear({ kind: 'closed', ...now(), code }, 0),
    }
  }

  /** Frees what it keeps. */
  close(): void {
    this.entries.length = 0
    if (this.file === null) return
    closeSync(this.file.descriptor)
    rmSync(this.file.folder, { recursive: true, force: true })
    this.file = null
  }

  private placeOf(transport: TargetTransport): number {
    const known = this.places.findIndex((place) => place.transport === transport)
    if (known !== -1) return known
    return this.places.push({ transport, instant: 0 }) - 1
  }

  /**
   * Keeps an entry: in memory while there is room, then on disk, never many at once.
   *
   * @param length of its text
   */
  hear(heard: Heard, length: number): void {
    const { memory, disk } = { ...BOUNDS, ...this.bounds }
    this.inMemory += length + ENTRY_LENGTH
    if (this.inMemory <= memory) {
      this.entries.push(heard)
      return
    }
    const spilled = this.diskBytes < disk ? this.written(heard) : null
    if (spilled === null) this.omitted++
    else this.entries.push(spilled)
  }

  /** Its place in the file; null where it cannot be written: a full disk fails no case. */
  private written(heard: Heard): Spilled | null {
    try {
      this.file ??= newFile()
      const bytes = Buffer.from(JSON.stringify(heard))
      const spilled = { at: this.file.size, length: bytes.length }
      writeSync(this.file.descriptor, bytes, 0, bytes.length, spilled.at)
      this.file.size += bytes.length
      return spilled
    } catch {
      return null
    }
  }
}

function newFile() {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-ledger-'))
  return { folder, descriptor: openSync(path.join(folder, 'heard'), 'w+'), size: 0 }
}

/** Estimated size of an entry besides its text, characters. */
const ENTRY_LENGTH = 300

function withoutKey(request: ProbeRequest): HeardRequest {
  const { method = 'GET', path, prefix, query, body, signedBy = 'full', signedIn } = request
  const { ageS = 0, tamper } = request
  return {
    method,
    path,
    ...(prefix === undefined ? {} : { prefix }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    by: typeof signedBy === 'string' ? signedBy : 'other',
    isSigned: signedIn !== 'nowhere' && tamper === undefined && ageS === 0,
  }
}
