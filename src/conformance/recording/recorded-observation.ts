import { QUESTIONS, type QuestionId } from '../../contract/questions.ts'
import { isSigned } from '../../contract/signature-check.ts'
import { SkipCase } from '../case-outcome.ts'
import { type Observations, observeQuestion, sortedObservations } from '../observation.ts'
import { Probe } from '../probe.ts'
import type { TargetKey } from '../target.ts'
import type { TargetTransport, TransportResponse, TransportSocket } from '../target-transport.ts'
import type { RecordedAnswers } from './recorded-answers.ts'
import { type Asked, askedFor } from './recorded-traffic.ts'

/** How the recorded service answers the open questions, as far as its recording shows it. */
export async function observeRecording(answers: RecordedAnswers): Promise<Observations> {
  const seen: (readonly [QuestionId, Awaited<ReturnType<typeof observeQuestion>>])[] = []
  for (const id of Object.keys(QUESTIONS) as QuestionId[]) {
    // A target of its own for each: what one question has used up, another may ask.
    let nonces = 0
    const signing = { nowS: () => NOW_S, nonce: () => String(nonces++) }
    const target = { keys: { full: NOBODY }, patienceMs: 0 }
    const probe = new Probe(target, new RecordedTransport(answers, signing.nowS), signing, {
      retries: 0,
    })
    seen.push([id, await observeQuestion(id, probe)])
    probe.close()
  }
  return sortedObservations(seen)
}

/** Any will do: nothing of it is compared with recorded times. */
const NOW_S = 1_700_000_000

// A target that is a recording: it answers what was asked there, and says nothing of all else.

/** Who asks; nobody has this key. */
const NOBODY: TargetKey = { accessKey: 'recording', secretKey: 'recording' }

/** Each answer is given once: what looks twice must not take one for two. */
class RecordedTransport implements TargetTransport {
  private readonly given = new Map<unknown, number>()
  private readonly nonces = new Set<string>()
  private hasSocket = false

  /** @param nowS by which requests are signed */
  constructor(
    private readonly answers: RecordedAnswers,
    private readonly nowS: () => number,
  ) {}

  async request(sent: { method: string; path: string; body?: string }): Promise<TransportResponse> {
    const asked = this.ordinary(sent.method, sent.path, sent.body)
    const found = this.answers.to(asked)
    const at = this.given.get(found) ?? 0
    const recorded = found[at]
    if (recorded === undefined) throw new SkipCase(absent(asked, at))
    this.given.set(found, at + 1)
    const { status, headers, responseBody: text } = recorded
    return { status, contentType: headers['content-type'] ?? '', text }
  }

  async connect(path: string): Promise<TransportSocket> {
    const asked = this.ordinary('GET', path)
    // How many the service would open, nobody has asked.
    if (this.hasSocket) throw new SkipCase('the recording answers on one socket at a time')
    this.hasSocket = true
    const after = (said: string) => this.answers.after(asked.path, said)
    return new ToldSocket(after, () => {
      this.hasSocket = false
    })
  }

  /** What is signed in another way than clients sign is asked to see what becomes of that. */
  private ordinary(method: string, path: string, body?: string): Asked {
    const query = new URLSearchParams(path.split('?')[1])
    const given = (name: string) => query.get(name) ?? ''
    const signed = {
      AccessKeyId: given('AccessKeyId'),
      SignatureNonce: given('SignatureNonce'),
      Timestamp: given('Timestamp'),
      Signature: given('Signature'),
    }
    const isFresh = Number(signed.Timestamp) === this.nowS()
    const isNew = !this.nonces.has(signed.SignatureNonce)
    this.nonces.add(signed.SignatureNonce)
    const asked = askedFor(method, path, body)
    const isByNobody = signed.AccessKeyId === NOBODY.accessKey
    if (asked && isByNobody && isFresh && isNew && isSigned(signed, NOBODY.secretKey)) return asked
    throw new SkipCase('it takes a request that is signed in a way of its own')
  }
}

const absent = ({ method, path }: Asked, given: number): string =>
  given > 0
    ? `the recording has only ${given} of ${method} ${path}`
    : `the recording has no ${method} ${path} that is asked so`

/** Tells what was told after the same words. */
class ToldSocket implements TransportSocket {
  readonly frames: string[] = []
  readonly closeCode = null

  constructor(
    private readonly after: (said: string) => readonly string[] | null,
    readonly close: () => void,
  ) {}

  send(data: string | Uint8Array): void {
    const told = typeof data === 'string' ? this.after(data) : null
    if (told === null) throw new SkipCase('the recording has no socket on which that is said')
    this.frames.push(...told)
  }

  async waitForActivity(): Promise<void> {
    if (this.frames.length === 0) throw new SkipCase('nothing more was told on that socket')
  }
}
