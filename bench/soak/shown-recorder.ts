/** Records what a market has shown, and repeats the requests to check that it is unchanged. */
import type { ChurnClient, ChurnedSandbox } from './churn-client.ts'

/** A request for a span of shown time. */
interface Question {
  path: string
  body: object
  answer: string
}

const COINS = ['BTC', 'SOL', 'DOGE']
const PEOPLE = ['star', 'busiest', 'whale', 'marketMaker']
/** Number of spans checked each time, besides the last one. */
const AGAIN = 4
const SUBSCRIBED = COINS.map((coin) => ({
  method: 'subscribe',
  subscription: { type: 'trades', coin },
}))

export class ShownRecorder {
  /** Differences found. */
  readonly differences: string[] = []
  /** Trades on sockets. */
  readonly tids = new Set<number>()
  private readonly spans: Question[][] = []
  private checked = 0

  constructor(
    private readonly client: ChurnClient,
    private readonly sandbox: ChurnedSandbox,
    private readonly people: readonly string[],
  ) {}

  static async begin(client: ChurnClient, sandbox: ChurnedSandbox): Promise<ShownRecorder> {
    const { personas } = await client.control('GET', `/sandboxes/${sandbox.id}/cast`)
    const known = personas as Record<string, { address: string } | null>
    const people = PEOPLE.flatMap((name) => known[name]?.address ?? [])
    const recorder = new ShownRecorder(client, sandbox, people)
    const before = new Set(sandbox.sockets)
    await client.connect(sandbox, '/hl/ws', SUBSCRIBED)
    for (const socket of sandbox.sockets)
      if (!before.has(socket)) socket.onmessage = ({ data }) => recorder.hear(String(data))
    return recorder
  }

  /** Records a finished span, which must never change. */
  async note(fromMs: number, toMs: number): Promise<void> {
    const span = { startTime: fromMs, endTime: toMs }
    const bodies = [
      ...COINS.flatMap((coin) => [
        { type: 'candleSnapshot', req: { coin, interval: '5m', ...span } },
        { type: 'fundingHistory', coin, ...span },
      ]),
      ...this.people.map((user) => ({ type: 'userFillsByTime', user, ...span })),
    ]
    const requested: Question[] = []
    for (const body of bodies) {
      const answer = await this.client.text(this.sandbox, '/hl/info', body)
      requested.push({ path: '/hl/info', body, answer })
    }
    this.spans.push(requested)
    const last = this.spans.length - 1
    const again = Array.from({ length: AGAIN }, (_, at) => Math.floor((last * at) / AGAIN))
    for (const at of new Set([...again, last])) await this.check(this.spans[at] ?? [])
  }

  /** Repeats all requests. */
  async checkAll(): Promise<void> {
    for (const span of this.spans) await this.check(span)
  }

  get text(): string {
    const { checked, differences, tids } = this
    return `${checked} repeated, ${differences.length} differ; ${tids.size} trades received`
  }

  private async check(span: readonly Question[]): Promise<void> {
    for (const { path, body, answer } of span) {
      this.checked++
      const now = await this.client.text(this.sandbox, path, body)
      if (now === answer) continue
      let at = 0
      while (now[at] === answer[at]) at++
      const part = (text: string) => text.slice(Math.max(0, at - 80), at + 80)
      this.differences.push(`${JSON.stringify(body)}: was ${part(answer)}, is ${part(now)}`)
    }
  }

  private hear(frame: string): void {
    if (!frame.startsWith('{"channel":"trades"')) return
    for (const { tid } of JSON.parse(frame).data as { tid: number }[]) {
      if (this.tids.has(tid)) this.differences.push(`trade ${tid} was received twice`)
      this.tids.add(tid)
    }
  }
}
